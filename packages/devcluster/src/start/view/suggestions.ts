/** What is suggested to people once they have seen the table. */
export interface Suggestion {
  /** Nothing is suggested about a node that is not there any more. */
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
