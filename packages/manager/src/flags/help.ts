/**
 * The text of `--help`: what the program is, our own flags, then upstream's in upstream's groups, each
 * with its default, and examples at the end. Made of the declarations, so that it cannot leave one out.
 */
import type { AnyFlag, FlagGroup, Standing } from './flag.ts';

const columns = 96;

export function helpText(groups: readonly FlagGroup[]): string {
  return [
    introduction,
    ...groups.map(({ title, flags }) => `${title} flags:\n\n${flags.map(describe).join('\n')}\n`),
    examples,
  ].join('\n');
}

const introduction = `Tandem's cloud-controller-manager initialises nodes from their cloud, keeps their addresses up to
date in both IP families, gives nodes their pod CIDRs, and deletes nodes whose instances are gone.

Usage:
  cloud-controller-manager --cloud-provider=NAME [flags]

Flags have the names and defaults of the Kubernetes 1.36 cloud-controller-manager, so existing
command lines work unchanged. Two defaults differ, because the upstream values only protect old API
servers: --concurrent-node-syncs (upstream: 1) and --kube-api-qps (upstream: 20). Flags marked
"No effect" are accepted; the startup log names those that are given.
`;

const examples = `Examples:

  # Show what Tandem would change, beside a running manager. Writes nothing.
  cloud-controller-manager --cloud-provider=static --cloud-config=inventory.yaml \\
    --kubeconfig=$HOME/.kube/config --dry-run -v=4

  # Run in the cluster on bare metal, with policies and VIPs.
  cloud-controller-manager --cloud-provider=static --cloud-config=/etc/tandem/inventory.yaml \\
    --config=/etc/tandem/config.yaml --logging-format=json

  # Manage nodes only, beside another manager that provides load balancers.
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
      return ` No effect: ${standing.because}.`;
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
