/** What is suggested to people once they have seen the table. */
export interface Trial {
  /** Nothing is suggested about a node that is not there any more. */
  readonly node: string;
  readonly command: string;
  readonly shows: string;
}

export const thingsToTry: readonly Trial[] = [
  {
    node: 'dual-01',
    command: 'kubectl annotate node dual-01 tandem.dev/node-ip=IPv6,IPv4',
    shows: 'turns its stack round within a second',
  },
  {
    node: 'ipv4-09',
    command: 'kubectl describe node ipv4-09',
    shows: 'its event says why it is refused',
  },
  {
    node: 'twin-a',
    command: 'kubectl delete node twin-a',
    shows: 'twin-b, which claims the same instance, gets it',
  },
];
