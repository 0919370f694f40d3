/** The options of `explain`, and its help text. */
import { optionsHelp, type OptionTable } from '@tandem/cli/options';
import { type LiveOptionName, liveOptions } from '../live/options.ts';

export type OptionName =
  | LiveOptionName
  | 'request'
  | 'node-ip'
  | 'kubelet'
  | 'cloud-address'
  | 'exclude'
  | 'feature-gates'
  | 'output'
  | 'batch'
  | 'kep-tables'
  | 'help';

export const optionDeclarations: OptionTable<OptionName> = {
  request: {
    value: 'VALUE',
    help: 'The request: IPv4, IPv6 or an IP address, or one of each family joined by a comma',
  },
  'node-ip': {
    value: 'VALUE',
    help: "The kubelet's --node-ip, in place of --request: the annotation that the kubelet would write is the request",
  },
  kubelet: {
    value: 'kep|released',
    help: 'Which kubelet reads --node-ip: kep implements KEP-3705 (default), released ignores the words IPv4 and IPv6',
  },
  'cloud-address': {
    value: 'TYPE=ADDRESS',
    isRepeatable: true,
    help: "An address that the cloud lists, such as InternalIP=10.0.0.1. Repeat for each address, in the cloud's order",
  },
  exclude: {
    value: '[TYPE=]CIDR',
    isRepeatable: true,
    help: 'A network or an address that must never become a node IP, for one type of address or for all. Repeat for each',
  },
  'feature-gates': {
    value: 'CloudNodeIPs=true|false',
    help: 'With false, only a single IP address is accepted (default: true)',
  },
  output: { short: 'o', value: 'text|json|yaml', help: 'Output format (default: text)' },
  batch: {
    help: 'Read one JSON object per line from standard input and print one JSON answer per line. An object is {"name"?, "cloud": [{"type", "address"}], "annotation": string|null}, or has "nodeIP" in place of "annotation"',
  },
  'kep-tables': { help: 'Print the two tables of KEP-3705 as this program computes them' },
  ...liveOptions,
  help: { short: 'h', help: 'Show this help' },
};

export const optionNames: readonly OptionName[] =
  Object.keys(optionDeclarations).filter(isOptionName);

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionDeclarations, name);
}

export function explainHelp(): string {
  return `Explains which addresses a node gets, in which order, and why.

Usage:
  kubectl nodeip explain NODE [--context CONTEXT] [--manager URL]
  kubectl nodeip explain --request VALUE --cloud-address TYPE=ADDRESS ...
  kubectl nodeip explain --node-ip VALUE [--kubelet released] --cloud-address TYPE=ADDRESS ...
  kubectl nodeip explain --batch < questions.jsonl
  kubectl nodeip explain --kep-tables

With NODE it prints the plan that the manager makes for that node of the cluster, from the node and
the manager's own view, which is read by a port-forward to the leader or from --manager.

Without NODE it reads no cluster. Without --request and --node-ip there is no request, and the node
gets the cloud's list as it is.

Options:
${optionsHelp(optionDeclarations)}

Exit codes: 0 answered, 1 cannot write the output, 2 bad input, 3 request refused, 4 cannot read
the cluster. A batch exits with 0 if every line is valid, even if requests are refused, and with 2
otherwise. To turn a JSON list into one object per line, use jq -c '.[]'.

Examples:
  kubectl nodeip explain --request IPv6,IPv4 \\
    --cloud-address InternalIP=10.0.0.1 --cloud-address InternalIP=fd00::1
  kubectl nodeip explain --node-ip IPv6 --kubelet released -o json \\
    --cloud-address InternalIP=10.0.0.1
`;
}
