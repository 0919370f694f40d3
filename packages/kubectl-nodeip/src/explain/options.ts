/**
 * The options of `explain`, declared once: the parser, the help text and the error messages are made
 * of this table, so that none can be accepted without being documented, or the other way round.
 */
export interface OptionDeclaration {
  readonly short?: string;
  /** What stands for the value in the help text; an option without one is a switch. */
  readonly value?: string;
  readonly isRepeatable?: true;
  readonly help: string;
}

export type OptionName =
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

export const optionDeclarations: Readonly<Record<OptionName, OptionDeclaration>> = {
  request: {
    value: 'VALUE',
    help: 'What is asked for: IPv4, IPv6 or an IP address, or one of each family joined by a comma',
  },
  'node-ip': {
    value: 'VALUE',
    help: "Ask through kubelet's --node-ip instead: what kubelet would annotate is what is asked for",
  },
  kubelet: {
    value: 'kep|released',
    help: 'Which kubelet --node-ip goes through: one that implements KEP-3705 (default) or a released one, which drops the words IPv4 and IPv6',
  },
  'cloud-address': {
    value: 'TYPE=ADDRESS',
    isRepeatable: true,
    help: 'An address that the cloud lists, in its order, such as InternalIP=10.0.0.1; repeat for each',
  },
  exclude: {
    value: '[TYPE=]CIDR',
    isRepeatable: true,
    help: 'Addresses that must never be node IPs: a network or a single address, of one type or of all; repeat for each',
  },
  'feature-gates': {
    value: 'CloudNodeIPs=true|false',
    help: 'Off, only a single IP address is accepted (default: on)',
  },
  output: { short: 'o', value: 'text|json|yaml', help: 'How to print the answer (default: text)' },
  batch: {
    help: 'Read one JSON object a line from standard input, {"name"?, "cloud": [{"type", "address"}], "annotation": string|null} or with "nodeIP" in place of "annotation", and answer one JSON object a line',
  },
  'kep-tables': { help: 'Print the two tables of KEP-3705 as this program computes them' },
  help: { short: 'h', help: 'Show this help' },
};

export const optionNames: readonly OptionName[] =
  Object.keys(optionDeclarations).filter(isOptionName);

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionDeclarations, name);
}

export function explainHelp(): string {
  return `Which addresses a node gets, in which order, and why.

Usage:
  kubectl nodeip explain --request VALUE --cloud-address TYPE=ADDRESS ...
  kubectl nodeip explain --node-ip VALUE [--kubelet released] --cloud-address TYPE=ADDRESS ...
  kubectl nodeip explain --batch < questions.jsonl
  kubectl nodeip explain --kep-tables

Without --request and --node-ip nothing is asked for and the cloud's list is taken as it is.

Options:
${Object.entries(optionDeclarations).map(describeOption).join('\n')}

Exit codes: 0 answered, 2 bad input, 3 refused. A batch ends in 0 when every line could be read.

Examples:
  kubectl nodeip explain --request IPv6,IPv4 \\
    --cloud-address InternalIP=10.0.0.1 --cloud-address InternalIP=fd00::1
  kubectl nodeip explain --node-ip IPv6 --kubelet released -o json \\
    --cloud-address InternalIP=10.0.0.1
`;
}

function describeOption([name, option]: [string, OptionDeclaration]): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  const value = option.value === undefined ? '' : ` ${option.value}`;
  return `  ${short}--${name}${value}\n${wrap(option.help, '          ')}`;
}

/** Breaks a text at blanks into indented lines of at most 100 columns. */
function wrap(text: string, indent: string): string {
  const lines = [indent];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const isFirst = line === indent;
    if (isFirst || line.length + word.length < 99)
      lines[lines.length - 1] = isFirst ? line + word : `${line} ${word}`;
    else lines.push(indent + word);
  }
  return lines.join('\n');
}
