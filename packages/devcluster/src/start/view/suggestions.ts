/** Commands that the view suggests below the table. */
export interface Suggestion {
  /** The node that the command is about. Without the node, the command is not suggested. */
  readonly node: string;
  readonly command: string;
  readonly shows: string;
}

export const suggestions: readonly Suggestion[] = [
  {
    node: 'dual-01',
    command: 'kubectl annotate node dual-01 tandem.dev/node-ip=IPv6,IPv4',
    shows: 'makes IPv6 primary within a second',
  },
  {
    node: 'ipv4-09',
    command: 'kubectl describe node ipv4-09',
    shows: 'shows the event that explains the refusal',
  },
  {
    node: 'twin-a',
    command: 'kubectl delete node twin-a',
    shows: 'gives its instance and pod CIDRs to twin-b',
  },
];
