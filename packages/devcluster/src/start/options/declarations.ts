/** The options of `npm start`, and its help text. */
import { optionsHelp, type OptionTable } from '@tandem/cli/options';

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

/** As many as the embedded API server is built for. */
export const nodesMax = 5_000;

export const optionDeclarations: OptionTable<OptionName> = {
  nodes: {
    value: 'N',
    help: `Number of additional nodes, 0 to ${nodesMax}, which request IPv4, IPv6, both or nothing (default: 0)`,
  },
  stack: {
    value: 'dual|ipv4|ipv6',
    help: 'IP families that the cloud gives the nodes of --nodes and --churn (default: dual)',
  },
  churn: { help: 'Add and remove machines while the cluster runs' },
  faults: {
    help: 'Make the cloud and the API server fail at times: throttled, lost, partial, empty and invalid answers, broken connections',
  },
  seed: {
    value: 'TEXT',
    help: 'Seed for all random choices: what additional nodes request, which machines come and go, and which calls fail, in the order of the calls (default: 1)',
  },
  port: {
    value: 'PORT',
    help: 'Port on 127.0.0.1 where kubectl reaches the cluster, 0 for any free port (default: 0)',
  },
  log: { value: 'FILE', help: "Append the manager's log to this file" },
  once: {
    help: 'Wait until the cluster converges, print the table and exit: with 0 if all nodes are as expected, with 1 otherwise. Opens no port',
  },
  output: {
    short: 'o',
    value: 'table|json',
    help: 'Output format of --once (default: table)',
  },
  help: { short: 'h', help: 'Show this help' },
};

export function helpText(): string {
  return `Runs Tandem's manager on an embedded dual-stack cluster with simulated kubelets and a simulated
cloud. There is one node for each row of KEP-3705's tables, and some nodes that fail in other ways.

Usage:
  npm start [-- OPTIONS]

Shows a table of the nodes until Ctrl-C. Meanwhile, kubectl can read and change the cluster.

Options:
${optionsHelp(optionDeclarations)}

Exit codes: 0 stopped by Ctrl-C (npm itself then reports 130), or converged with --once;
1 not converged, or failed; 2 invalid options, port in use, or file not writable.

Examples:
  npm -s start -- --once -o json | jq .nodes   (-s hides npm's banner)
  npm start -- --nodes 100 --churn --faults --seed tuesday
`;
}
