/** `docs/reference/flags.md`: every flag, where it stands, and what follows from that. */
import { type AnyFlag, defaultOf, type LimitedSupport, synopsis } from '@tandem/cli/flags';
import { flagGroups } from '@tandem/manager/flags';

export function renderFlags(): string {
  return `# The flags of cloud-controller-manager

<!-- Made by \`npm run docs\` from the declarations of the flags in packages/manager and packages/serving. -->

Names, aliases and defaults are those of Kubernetes 1.36's cloud-controller-manager. Each flag has one
of three levels of support:

- **honoured**: the flag changes what the program does;
- **accepted**: the flag has no effect. Tandem accepts it so that existing command lines keep working. A log line at the start says why, unless the
  value asks for what Tandem does anyway;
- **refused**: the flag asks for something that users rely on and that Tandem does not have. The program does not start and says what
  to do instead.

With unknown flags, impossible values or refused flags, the program exits with code 2 before it does
anything. It reports all problems with flags and with the file of \`--config\` at once. It then reads the file of \`--cloud-config\`
and that of \`--kubeconfig\`, one after the other.

Tandem does not apply two of upstream's defaults unless you set them: one worker (\`--concurrent-node-syncs\`) and 20
requests a second (\`--kube-api-qps\`, \`--kube-api-burst\`). They protect API servers without priority and fairness,
but make a cluster of thousands of nodes wait for minutes.

Tandem reads flags as pflag does: \`--name=value\` or \`--name value\`, switches as \`--name\` or \`--name=false\`, and
\`-v=2\`, \`-v 2\` or \`-v2\`. An underscore in a name counts as a dash. Unlike in pflag, a word that is a flag is never the value of the flag
before it. Commas separate the entries of a list. If you repeat a list flag, its entries add up; of a repeated list of networks (\`cidrs\`), and of any
other repeated flag, the last one counts. Durations need a unit: \`500ms\`, \`30s\`, \`1h30m\`.

Log lines are text in the format of klog by default, so that log collectors for upstream's control plane can read
them. In place of a file and a line number they name the controller or the part of the manager.
With \`--logging-format=json\`, every line is JSON once the manager has read its flags.

${flagGroups.map(({ title, flags }) => `## ${title}\n\n${flags.map(describe).join('\n')}`).join('\n')}`;
}

function describe(flag: AnyFlag): string {
  return `### --${flag.name}

\`${synopsis(flag)}\`${defaultText(flag)} – **${flag.support?.kind ?? 'honoured'}**${flag.isDeprecated ? ', deprecated upstream' : ''}

${escape(flag.help)}
${consequence(flag.support)}`;
}

function defaultText(flag: AnyFlag): string {
  if (flag.isRequired) return ', required';
  const text = defaultOf(flag);
  if (text === undefined) return '';
  return flag.otherwise === undefined ? `, default \`${text}\`` : `, default: ${escape(text)}`;
}

function quietFor({ agreesWith }: Extract<LimitedSupport, { readonly kind: 'accepted' }>): string {
  return agreesWith === undefined || agreesWith === ''
    ? ''
    : ` \`${agreesWith}\` is what Tandem does anyway.`;
}

function consequence(support: LimitedSupport | undefined): string {
  switch (support?.kind) {
    case undefined:
      return '';
    case 'accepted':
      return `\n**No effect:** ${escape(support.because)}.${quietFor(support)}\n`;
    case 'refused': {
      const { agreesWith = '' } = support;
      const only = agreesWith === '' ? '' : ` Only \`${agreesWith}\` is supported.`;
      return `\n**Not supported:** ${escape(support.instead)}.${only}\n`;
    }
  }
}

/** Stars would make words bold. */
function escape(text: string): string {
  return text.replaceAll('*', String.raw`\*`);
}
