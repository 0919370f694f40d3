import assert from 'node:assert/strict';
import type { ValueType } from '@tandem/cli/flags';
import { brake } from '../../controllers/cloud-node-lifecycle.ts';
import { cipherSuites, curves, sniCertificates, tlsVersion } from './tls.ts';

interface Case {
  readonly type: ValueType<unknown>;
  readonly texts: readonly string[];
  /** A value, or what the refusal says. */
  readonly want: unknown;
}

const cases: readonly Case[] = [
  { type: cipherSuites, texts: ['ECDHE-RSA-AES128-SHA'], want: /not a cipher suite name/ },
  { type: curves, texts: ['X25519'], want: /not a curve number/ },
  { type: curves, texts: ['29,23'], want: [29, 23] },
  { type: tlsVersion, texts: [''], want: 'VersionTLS12' },
  { type: tlsVersion, texts: ['VersionTLS11'], want: /insecure and not supported/ },
  { type: tlsVersion, texts: ['TLS12'], want: /neither VersionTLS12 nor VersionTLS13/ },
  { type: sniCertificates, texts: ['cert'], want: /not a pair of files/ },
  { type: sniCertificates, texts: ['a,b,c'], want: /not a pair of files/ },
  { type: sniCertificates, texts: ['a,b:'], want: /empty name/ },
  {
    type: sniCertificates,
    texts: ['a,b', 'c, d:x, *.y'],
    want: [
      { certFile: 'a', keyFile: 'b', names: [] },
      { certFile: 'c', keyFile: 'd', names: ['x', '*.y'] },
    ],
  },
  { type: brake, texts: ['20%'], want: /is not a deletion brake: write NODES,PERCENT%/ },
  { type: brake, texts: ['5,101%'], want: /share of more than 100%/ },
  { type: brake, texts: ['5,20%,10'], want: /a window that has no unit/ },
  { type: brake, texts: ['5,20%,0s'], want: /shorter than 1s/ },
  { type: brake, texts: ['off'], want: undefined },
  { type: brake, texts: ['0,0%'], want: { nodes: 0, share: 0, windowMs: 600_000 } },
  { type: brake, texts: ['3,12.5%,1h'], want: { nodes: 3, share: 0.125, windowMs: 3_600_000 } },
];

describe("the values of the manager's own flags", () => {
  for (const { type, texts, want } of cases) {
    const what = want instanceof RegExp ? 'refuse' : 'take';
    it(`${what} ${JSON.stringify(texts).slice(0, 60)} as ${type.word}`, () => {
      const read = type.read(texts);
      if (want instanceof RegExp) {
        assert.ok(read.kind === 'invalid', 'it was taken');
        assert.match(read.reason, want);
      } else {
        assert.deepEqual(read, { kind: 'value', value: want });
      }
    });
  }
});
