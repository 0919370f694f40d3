/**
 * The options of `npm start`, declared once: the reader, the help text and the errors are made of this
 * table, so that none can be accepted without being documented, or the other way round.
 */
export interface OptionDeclaration {
  readonly short?: string;
  /** What stands for the value in the help text; an option without one is a switch. */
  readonly value?: string;
  readonly help: string;
}

export type OptionName =
  | 'nodes'
  | 'stack'
  | 'churn'
  | 'faults'
  | 'seed'
  | 'port'
  | 'log'
  | 'once'
  | 'output'
  | 'help';

/** What the embedded API server is made for. */
export const nodesMax = 5_000;

export const optionDeclarations: Readonly<Record<OptionName, OptionDeclaration>> = {
  nodes: {
    value: 'N',
    help: `Further nodes beside those of the tables, 0 to ${nodesMax}, which ask for IPv4, IPv6, both or nothing (default: 0)`,
  },
  stack: {
    value: 'dual|ipv4|ipv6',
    help: 'What the cloud gives the nodes of --nodes and --churn (default: dual)',
  },
  churn: { help: 'Machines come and go for as long as it runs' },
  faults: {
    help: 'The cloud and the API server fail now and then: throttling, lost, partial, empty and nonsensical answers, connections that break',
  },
  seed: {
    value: 'TEXT',
    help: 'Decides everything that is left to chance: what further nodes ask for, which machines come and go, and which calls fail, counted in their order (default: 1)',
  },
  port: {
    value: 'PORT',
    help: 'Where kubectl reaches the cluster on 127.0.0.1, 0 for any that is free (default: 0)',
  },
  log: { value: 'FILE', help: "Append the manager's log to this file" },
  once: {
    help: 'Converge, print the table and end: with 0 if everything is as KEP-3705 has it, with 1 otherwise. Opens no port',
  },
  output: {
    short: 'o',
    value: 'table|json',
    help: 'How to print the outcome of --once (default: table)',
  },
  help: { short: 'h', help: 'Show this help' },
};

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionDeclarations, name);
}

export function helpText(): string {
  const options = Object.entries(optionDeclarations).map(([name, { short, value, help }]) => {
    const letter = short === undefined ? '    ' : `-${short}, `;
    return `  ${letter}--${name}${value === undefined ? '' : ` ${value}`}\n${wrap(help)}`;
  });
  return `Tandem on an embedded dual-stack cluster: one node for each row of KEP-3705's tables and some that
go wrong in other ways, simulated kubelets and a simulated cloud, and the manager's own code.

Usage:
  npm start [-- OPTIONS]

It shows a table of the nodes and runs until Ctrl-C; kubectl works on it meanwhile.

Options:
${options.join('\n')}

Exit codes: 0 ended by Ctrl-C (npm itself then says 130), or converged with --once; 1 not converged,
or failed; 2 bad options, a port that is taken, a file that cannot be written.

Examples:
  npm start -- --once -o json
  npm start -- --nodes 100 --churn --faults --seed tuesday
`;
}

const indent = '          ';

/** Breaks a text at blanks into indented lines of at most 100 columns. */
function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + word.length >= 100) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].map((one) => `${indent}${one}`).join('\n');
}
