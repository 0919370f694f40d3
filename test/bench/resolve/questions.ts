/** Questions as a fleet would ask them: every machine has its own addresses, every kind of request occurs. */
export function batchQuestions(count: number): string {
  return Array.from({ length: count }, (_, index) => question(index)).join('');
}

function question(index: number): string {
  const [low, middle, high] = [index & 0xff, (index >>> 8) & 0xff, (index >>> 16) & 0xff];
  const ipv4 = `10.${high}.${middle}.${low}`;
  const ipv6 = `2001:db8:${high.toString(16)}::${(index & 0xffff).toString(16)}`;
  const cloud = [
    { type: 'InternalIP', address: ipv4 },
    { type: 'InternalIP', address: ipv6 },
    { type: 'ExternalIP', address: `198.18.${middle}.${low}` },
    { type: 'Hostname', address: `node-${index}` },
  ];
  const requests = [
    'IPv4',
    'IPv6',
    'IPv4,IPv6',
    ipv4,
    `IPv6,${ipv4}`,
    `${ipv6},${ipv4}`,
    `192.0.2.${low}`,
    null,
  ];
  const annotation = requests[index % requests.length] ?? null;
  return `${JSON.stringify({ name: `node-${index}`, cloud, annotation })}\n`;
}
