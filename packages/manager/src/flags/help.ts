/**
 * The text of `--help`: what the program is, our own flags, then upstream's in upstream's groups, each
 * with its default, and examples at the end. Made of the declarations, so that it cannot leave one out.
 */
import { flagGroups } from './declared/index.ts';
import type { AnyFlag, FlagGroup, Standing } from './flag.ts';

const columns = 96;

export function helpText(groups: readonly FlagGroup[] = flagGroups): string {
  return [
    introduction,
    ...groups.map(({ title, flags }) => `${title} flags:\n\n${flags.map(describe).join('\n')}\n`),
    examples,
  ].join('\n');
}

const introduction = `Tandem's cloud-controller-manager initialises the nodes of a cluster with what their cloud says of
them, keeps their addresses true in both IP families, and deletes those whose instances are gone.

Usage:
  cloud-controller-manager --cloud-provider=NAME [flags]

Flags have the names and defaults of Kubernetes 1.36's manager, so that an existing command line
starts unchanged. Two defaults are not imposed unless you ask for them, because they only protect
old API servers: one worker (--concurrent-node-syncs) and 20 requests a second (--kube-api-qps).
Flags that nothing depends on here are taken, and a line at the start says why.
`;

const examples = `Examples:

  # See what it would do, beside the manager that runs now; nothing is written.
  cloud-controller-manager --cloud-provider=static --cloud-config=inventory.yaml \\
    --kubeconfig=$HOME/.kube/config --dry-run -v=4

  # Bare metal, inside the cluster, with policies and VIPs.
  cloud-controller-manager --cloud-provider=static --cloud-config=/etc/tandem/inventory.yaml \\
    --config=/etc/tandem/config.yaml --logging-format=json

  # Nodes only, beside another manager that does the load balancers.
  cloud-controller-manager --cloud-provider=static --controllers=cloud-node,cloud-node-lifecycle
`;

function describe(flag: AnyFlag): string {
  const indented = wrap(`${flag.help}${remarks(flag)}`, columns - 8).map(
    (line) => `        ${line}`,
  );
  return [`  ${synopsis(flag)}`, ...indented].join('\n');
}

/** `-v, --v int`, and switches without a value. */
export function synopsis({ name, short, type }: AnyFlag): string {
  const long = `${short === undefined ? '' : `-${short}, `}--${name}`;
  return type.bare === undefined ? `${long} ${type.word}` : long;
}

function remarks(flag: AnyFlag): string {
  const byDefault = defaultOf(flag);
  return [
    byDefault === undefined ? '' : ` (default: ${byDefault})`,
    flag.isRequired === undefined ? '' : ' (required)',
    flag.isDeprecated === undefined ? '' : ' Deprecated.',
    standingRemark(flag.standing),
  ].join('');
}

function standingRemark(standing: Standing): string {
  switch (standing.kind) {
    case 'honoured':
      return '';
    case 'accepted':
      return ' Nothing depends on it.';
    case 'refused': {
      const { agreesWith = '' } = standing;
      return agreesWith === '' ? ' Not supported.' : ` Only ${agreesWith} is supported.`;
    }
  }
}

/** What holds when the flag is not given, in words or as its value. */
export function defaultOf({ byDefault, otherwise }: AnyFlag): string | undefined {
  return otherwise ?? (byDefault === '' ? undefined : byDefault);
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
