/** Inputs that an attacker would choose to make the resolution slow. */
import type { NodeAddress } from '@tandem/core/node-address';

interface HostileQuestion {
  readonly cloud: readonly NodeAddress[];
  readonly request: string;
}

export function hostileQuestions(): HostileQuestion[] {
  const usual = [{ type: 'InternalIP', address: '10.0.0.1' }];
  const texts = [
    '0'.repeat(1024),
    `${'0'.repeat(1017)}1.2.3.4`,
    `${'0:'.repeat(511)}:`,
    ':'.repeat(1024),
    ','.repeat(1024),
    'IPv4,'.repeat(204),
    '1.2.3.4,'.repeat(127),
    `${'f'.repeat(600)}::1`,
    '\u001b'.repeat(1024),
    '😀'.repeat(512),
    'x'.repeat(1_000_000),
    ' '.repeat(1024),
    `${'a:'.repeat(300)}1.2.3.4`,
  ];
  const longest = texts.filter((text) => text.length <= 1024);
  const crowded = Array.from({ length: 64 }, (_, index) => ({
    type: 'InternalIP',
    address: longest[index % longest.length] ?? '',
  }));
  return [
    ...texts.map((request) => ({ cloud: usual, request })),
    { cloud: crowded, request: 'IPv6' },
    { cloud: crowded, request: '9.9.9.9' },
  ];
}
