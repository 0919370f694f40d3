/** The rule file of Prometheus and the runbook page, from the declared alerts. */
import { stringify } from 'yaml';
import { type Alert, alertGroups, alerts } from './alerts.ts';

/** Where the docs are published; nowhere yet, so that it is a name that cannot exist. The chart has a value for it. */
export const docsURL = 'https://tandem.invalid';

export function renderRules(): string {
  const groups = Object.entries(alertGroups).map(([name, members]) => ({
    name: `tandem-${name}`,
    rules: members.map(ruleOf),
  }));
  const about = `# Alerts for Prometheus, made by \`npm run docs\` from tools/observability/alerts.ts.
# docs/guides/alerts.md is their runbook: replace ${docsURL} by the address at which you publish docs/.`;
  return `${about}\n${stringify({ groups }, { lineWidth: 0, singleQuote: true })}`;
}

function ruleOf({ name, expr, for: duration, severity, summary }: Alert): object {
  return {
    alert: name,
    expr,
    for: duration,
    labels: { severity },
    annotations: {
      summary,
      runbook_url: `${docsURL}/docs/guides/alerts.md#${name.toLowerCase()}`,
    },
  };
}

export function renderRunbook(): string {
  const sections = alerts.map(
    (alert) => `## ${alert.name}

**${alert.severity}**, after ${alert.for}

${alert.meaning}

**What to do:** ${alert.remedy}

\`\`\`promql
${alert.expr}
\`\`\`
`,
  );
  return `# Alerts

<!-- Made by \`npm run docs\` from tools/observability/alerts.ts. -->

[manifests/alerts/tandem.yaml](../../manifests/alerts/tandem.yaml) has the rules for Prometheus. With the Prometheus operator, set
\`alerts.enabled\` of [the chart](../../manifests/chart/README.md), and \`podMonitor.enabled\` for the scrapes; \`dashboard.enabled\` adds
[the dashboard](../../manifests/dashboards/tandem.json) for Grafana. Each alert has a link to its section here: set \`docsURL\` to the
address at which you publish \`docs/\`.

\`critical\` means that someone must act now, \`warning\` that someone should look in working hours.

${sections.join('\n')}`;
}
