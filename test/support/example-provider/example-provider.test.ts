import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { examine } from '@tandem/provider/exam';
import { virtualClock } from '@tandem/runtime';
import { acmeProvider, type Machine, openAcmeLab } from './index.ts';

describe('exam of the example in the guide', () => {
  for (const { name, run } of examine(openAcmeLab)) it(name, run);

  it('knows nothing of a name that two machines have, and nothing of scrapped ones', async () => {
    const shape = { ips: [], podRanges: [], size: 's', site: 'n' };
    const machine: Machine = { id: '1', hostname: 'a', ...shape, power: 'on' };
    const machines: Machine[] = [machine, { ...machine, id: '2' }];
    const api = { machines: async () => machines, rights: async () => [], follow() {} };
    const provider = acmeProvider(api, virtualClock());
    const ask = async (): Promise<string | undefined> => {
      const { signal } = new AbortController();
      const nodes = [{ name: 'a', uid: 'u', providerID: '', labels: {}, systemUUID: '' }];
      return (await provider.lookup(nodes, { maxAgeMs: 0, signal })).get('a')?.kind;
    };
    assert.equal(await ask(), 'unknown');
    machines[1] = { ...machine, id: '2', power: 'scrapped' };
    assert.equal(await ask(), 'found');
  });

  it('names the right that its token lacks', async () => {
    const api = { machines: async () => [], rights: async () => ['billing'], follow() {} };
    const provider = acmeProvider(api, virtualClock());
    const { signal } = new AbortController();
    await assert.rejects(Promise.resolve(provider.checkAccess?.({ signal })), {
      code: 'AcmeAccessRefused',
      retry: 'never',
      message: /Give the token machines:read in Acme's console/,
    });
  });
});

describe('guide for writing a provider', () => {
  const read = (path: string): string =>
    readFileSync(new URL(path, import.meta.url), 'utf8').trimEnd();

  it('shows the example as it is tested', () => {
    const guide = read('../../../docs/guides/write-a-provider.md');
    for (const file of ['./acme-api.ts', './provider.ts']) {
      assert(guide.includes(read(file)), `the guide does not show ${file} as it stands`);
    }
  });
});
