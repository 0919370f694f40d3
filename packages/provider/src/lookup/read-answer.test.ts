import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { anInstance } from './lookup.fixture.ts';
import { readAnswer } from './read-answer.ts';

const owns = (providerID: string): boolean => providerID.startsWith('test://');

const readFound = (instance: unknown): string => {
  const read = readAnswer({ kind: 'found', instance }, owns);
  return read.kind === 'malformed' ? read.problem : read.kind;
};

const tooManyAddresses = Array.from({ length: 2_000 }, () => ({
  type: 'InternalIP',
  address: '10.0.0.1',
}));

describe('reading an answer', () => {
  it('keeps everything of a good instance, in its order and text', () => {
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
      podCIDRs: ['10.0.0.0/24'],
    });
    assert.deepEqual(readAnswer({ kind: 'found', instance }, owns), { kind: 'found', instance });
  });

  it('takes empty texts for what the cloud has not got', () => {
    const read = readAnswer({ kind: 'found', instance: { ...anInstance('a'), zone: '' } }, owns);
    assert.deepEqual(read, { kind: 'found', instance: anInstance('a') });
  });

  const cases = [
    { given: undefined, want: 'the instance has no providerID' },
    { given: { providerID: '' }, want: 'the instance has no providerID' },
    { given: { providerID: 'x:///a' }, want: 'the instance has the foreign providerID x:///a' },
    { given: { addresses: undefined }, want: /^addresses is not a list/ },
    { given: { addresses: [{ type: 'InternalIP' }] }, want: /^addresses is not a list/ },
    { given: { addresses: [{ type: '', address: '<html>' }] }, want: /^addresses is not a list/ },
    { given: { addresses: [{ type: 'InternalIP', address: 'junk' }] }, want: /^addresses is not/ },
    { given: { addresses: [{ type: 'Banana', address: '10.0.0.1' }] }, want: /^addresses is not/ },
    { given: { addresses: [{ type: 'Hostname', address: 'a b' }] }, want: /^addresses is not/ },
    { given: { providerID: 'test://a b\n' }, want: /^the providerID .* is no single word/ },
    { given: { providerID: `test://${'a'.repeat(600)}` }, want: /^the providerID .* is no single/ },
    { given: { addresses: tooManyAddresses }, want: /^addresses/ },
    { given: { state: 'terminated' }, want: /^state is none of pending, running/ },
    { given: { labels: ['a'] }, want: 'labels is not a map of texts' },
    { given: { labels: { a: 1 } }, want: 'labels is not a map of texts' },
    { given: { podCIDRs: ['10.0.0.1/24'] }, want: 'podCIDRs is not a list of networks' },
    { given: { zone: 1 }, want: 'instanceType, zone or region is not a text' },
  ];
  for (const { given, want } of cases) {
    it(`refuses an instance of which it can say: ${String(want)}`, () => {
      const said = readFound(given && { ...anInstance('a'), ...given });
      if (typeof want === 'string') assert.equal(said, want);
      else assert.match(said, want);
    });
  }

  it('takes an answer that cannot even be read for nonsense', () => {
    const bang = {
      get kind(): string {
        throw new Error('bang');
      },
    };
    assert.deepEqual(readAnswer(bang, owns), {
      kind: 'malformed',
      problem: 'reading it failed: bang',
    });
  });

  it('throws at nothing, and says absent only where that was said', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        assert.notEqual(readAnswer(value, owns).kind, 'absent');
        assert.notEqual(readFound(value), 'absent');
      }),
    );
  });
});
