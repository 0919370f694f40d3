/** `docs/reference/flags.md`: every flag, where it stands, and what follows from that. */
import { type AnyFlag, defaultOf, type FlagSupport, synopsis } from '@tandem/cli/flags';
import { flagGroups } from '@tandem/manager/flags';

export function renderFlags(): string {
  return `# The flags of cloud-controller-manager

<!-- Made by \`npm run docs\` from packages/manager/src/flags/declared and packages/manager/src/controllers. -->

Names, aliases and defaults are those of Kubernetes 1.36's cloud-controller-manager. Each flag stands in one
of three ways:

- **honoured**: it changes what the program does;
- **accepted**: nothing depends on it here, so that it is only taken for the sake of existing command lines; a
  line at the start says why, unless its value asks for what holds anyway;
- **refused**: it would change what people rely on and is not there, so the program does not start and says what
  to do instead.

Unknown flags, impossible values and refused flags end the program with exit code 2 before it has done
anything; all problems with flags and with the file of \`--config\` are told at once. The files of \`--cloud-config\`
and \`--kubeconfig\` are read afterwards, one after the other.

Two defaults of upstream's are not imposed unless they are given: one worker (\`--concurrent-node-syncs\`) and 20
requests a second (\`--kube-api-qps\`, \`--kube-api-burst\`). They protect API servers that do not protect themselves
and make a cluster of thousands of nodes wait for minutes.

Flags are written as pflag has them: \`--name=value\` or \`--name value\`, switches as \`--name\` or \`--name=false\`,
\`-v=2\`, \`-v 2\` or \`-v2\`, an underscore in a name counts as a dash. Lists have commas, and a list flag that is
given again adds to itself; of lists of networks (\`cidrs\`) and of any other flag the last one counts. Durations need
a unit: \`500ms\`, \`30s\`, \`1h30m\`.

Log lines are text by default, as klog writes upstream's, so that what collects the logs of a control plane goes
on reading them; in place of a file and a line they name the controller or the part of the manager.
\`--logging-format=json\` is for machines, and then every line is JSON once the flags are read.

${flagGroups.map(({ title, flags }) => `## ${title}\n\n${flags.map(describe).join('\n')}`).join('\n')}`;
}

function describe(flag: AnyFlag): string {
  return `### --${flag.name}

\`${synopsis(flag)}\`${defaultText(flag)} – **${flag.support.kind}**${flag.isDeprecated ? ', deprecated upstream' : ''}

${escape(flag.help)}
${consequence(flag.support)}`;
}

function defaultText(flag: AnyFlag): string {
  if (flag.isRequired) return ', required';
  const text = defaultOf(flag);
  if (text === undefined) return '';
  return flag.otherwise === undefined ? `, default \`${text}\`` : `, default: ${escape(text)}`;
}

function quietFor({ agreesWith }: Extract<FlagSupport, { readonly kind: 'accepted' }>): string {
  return agreesWith === undefined || agreesWith === ''
    ? ''
    : ` \`${agreesWith}\` is what Tandem does anyway.`;
}

function consequence(support: FlagSupport): string {
  switch (support.kind) {
    case 'honoured':
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
