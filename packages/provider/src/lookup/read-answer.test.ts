import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { anInstance } from './lookup.fixture.ts';
import { readAnswer } from './read-answer.ts';

const identify = (providerID: string): string | undefined =>
  providerID.startsWith('test://') ? providerID.toLowerCase() : undefined;

const read = (value: unknown, providerID = ''): ReturnType<typeof readAnswer> =>
  readAnswer(value, { node: { providerID }, identify, nowMs: 100 });

const readFound = (instance: unknown): string => {
  const answer = read({ kind: 'found', instance, asOfMs: 100 });
  return answer.kind === 'malformed' ? answer.problem : answer.kind;
};

const tooManyAddresses = Array.from({ length: 2_000 }, () => ({
  type: 'InternalIP',
  address: '10.0.0.1',
}));

describe('reading an answer', () => {
  it('keeps every field of a valid instance, with its order and spelling', () => {
    const instance = anInstance('a', {
      addresses: [
        { type: 'InternalIP', address: 'FD00::01' },
        { type: 'Hostname', address: 'No.Address' },
        { type: 'InternalIP', address: 'FD00::01' },
      ],
      instanceType: 'large',
      zone: 'z',
      region: 'r',
      labels: { a: '' },
      podBlocks: { IPv4: ['10.0.0.0/24', '10.1.0.0/28'], IPv6: ['FD00::/64'] },
    });
    const answer = read({ kind: 'found', instance, asOfMs: 100 });
    const known = { key: 'test:///a', ...instance };
    assert.deepEqual(answer, { kind: 'found', instance: known, asOfMs: 100 });
  });

  it('derives the key of an instance from its providerID, and ignores a key in the answer', () => {
    const instance = { ...anInstance('A'), key: 'test:///other' };
    const answer = read({ kind: 'found', instance, asOfMs: 1 });
    assert(answer.kind === 'found');
    assert.equal(answer.instance.key, 'test:///a');
  });

  it('treats empty strings as missing fields', () => {
    const answer = read({ kind: 'found', instance: { ...anInstance('a'), zone: '' }, asOfMs: 1 });
    const instance = { key: 'test:///a', ...anInstance('a') };
    assert.deepEqual(answer, { kind: 'found', instance, asOfMs: 1 });
  });

  it('rejects another instance than the node names, in any spelling (P2)', () => {
    const answer = { kind: 'found', instance: anInstance('a'), asOfMs: 1 };
    assert.equal(read(answer, 'test:///A').kind, 'found');
    assert.deepEqual(read(answer, 'test:///b'), {
      kind: 'malformed',
      problem: 'providerID "test:///a" is not the instance that the node names',
    });
  });

  const times = [
    { asOfMs: undefined, want: 'asOfMs must be a finite number' },
    { asOfMs: '7', want: 'asOfMs must be a finite number' },
    { asOfMs: Number.NaN, want: 'asOfMs must be a finite number' },
    { asOfMs: Number.NEGATIVE_INFINITY, want: 'asOfMs must be a finite number' },
    { asOfMs: 101, want: 'asOfMs is in the future' },
  ];
  for (const { asOfMs, want } of times) {
    it(`rejects asOfMs ${String(asOfMs)} at time 100: ${want}`, () => {
      for (const kind of ['found', 'absent']) {
        const answer = read({ kind, instance: anInstance('a'), asOfMs });
        assert.deepEqual(answer, { kind: 'malformed', problem: want });
      }
    });
  }

  const cases = [
    { given: undefined, want: 'the instance has no providerID' },
    { given: { providerID: '' }, want: 'the instance has no providerID' },
    {
      given: { providerID: 'x:///a' },
      want: 'the instance has providerID "x:///a", which belongs to another cloud',
    },
    { given: { addresses: undefined }, want: /^addresses must be a list/ },
    { given: { addresses: [{ type: 'InternalIP' }] }, want: /^addresses must be a list/ },
    { given: { addresses: [{ type: '', address: '<html>' }] }, want: /^addresses must be a list/ },
    { given: { addresses: [{ type: 'InternalIP', address: 'junk' }] }, want: /^addresses must be/ },
    { given: { addresses: [{ type: 'Banana', address: '10.0.0.1' }] }, want: /^addresses must be/ },
    { given: { addresses: [{ type: 'Hostname', address: 'a b' }] }, want: /^addresses must be/ },
    { given: { providerID: 'test://a b\n' }, want: /^providerID "test:.*" must be 1 to 512 ASCII/ },
    {
      given: { providerID: `test://${'a'.repeat(600)}` },
      want: /^providerID "test:.*" must be 1 to 512 ASCII/,
    },
    { given: { addresses: tooManyAddresses }, want: /^addresses/ },
    { given: { state: 'terminated' }, want: /^state must be one of pending, running/ },
    { given: { labels: ['a'] }, want: 'labels must be a map of strings' },
    { given: { labels: { a: 1 } }, want: 'labels must be a map of strings' },
    ...[
      undefined,
      [],
      ['10.0.0.0/24'],
      { IPv4: [] },
      { IPv4: [], IPv6: '::/0' },
      { IPv4: ['10.0.0.1/24'], IPv6: [] },
      { IPv4: ['fd00::/64'], IPv6: [] },
      { IPv4: [], IPv6: ['10.0.0.0/24'] },
      { IPv4: [7], IPv6: [] },
    ].map((podBlocks) => ({
      given: { podBlocks },
      want: 'podBlocks must have a list of IPv4 CIDRs and one of IPv6 CIDRs',
    })),
    { given: { zone: 1 }, want: 'instanceType, zone and region must be strings' },
  ];
  for (const { given, want } of cases) {
    it(`rejects an instance with the problem: ${String(want)}`, () => {
      const said = readFound(given && { ...anInstance('a'), ...given });
      if (typeof want === 'string') assert.equal(said, want);
      else assert.match(said, want);
    });
  }

  it('rejects an answer that throws when it is read', () => {
    const bang = {
      get kind(): string {
        throw new Error('bang');
      },
    };
    assert.deepEqual(read(bang), {
      kind: 'malformed',
      problem: 'reading it failed: bang',
    });
  });

  it('never throws, and returns absent only for an absence', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        assert.notEqual(read(value).kind, 'absent');
        assert.notEqual(readFound(value), 'absent');
      }),
    );
  });
});
