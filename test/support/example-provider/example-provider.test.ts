import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { examine } from '@tandem/provider/exam';
import { virtualClock } from '@tandem/runtime/testing';
import type { Provider } from '@tandem/provider/plug';
import { FakeAcme } from './fake-acme.ts';
import { acmeProvider, openAcmeLab } from './index.ts';

describe('exam of the example in the guide', () => {
  for (const { name, run } of examine(openAcmeLab)) it(name, run);

  const { signal } = new AbortController();
  const open = (acme: FakeAcme): Provider =>
    acmeProvider(acme, { clock: virtualClock(), clusterName: 'here' });

  it('answers unknown for a name that two machines have, and ignores scrapped machines', async () => {
    const acme = new FakeAcme();
    acme.put('a', {});
    acme.put('b', { hostname: 'a' });
    const ask = async (): Promise<string | undefined> => {
      const nodes = [{ name: 'a', uid: 'u', providerID: '', labels: {}, systemUUID: '' }];
      return (await open(acme).lookup(nodes, { maxAgeMs: 0, signal })).get('a')?.kind;
    };
    assert.equal(await ask(), 'unknown');
    acme.put('b', { power: 'scrapped' });
    assert.equal(await ask(), 'found');
  });

  it('names the right that its token lacks', async () => {
    const acme = new FakeAcme();
    acme.tokenIsValid = false;
    await assert.rejects(Promise.resolve(open(acme).checkAccess?.({ signal })), {
      code: 'AcmeAccessRefused',
      retry: 'never',
      message: /Give the token machines:read in Acme's console/,
    });
  });

  it('reports an unknown outcome when Acme fails, and a refusal when Acme refuses', async () => {
    const acme = new FakeAcme();
    const remove = async (): Promise<string | undefined> => {
      const operation = { kind: 'delete', table: 'acme', route: '10.244.0.0/24' } as const;
      const options = { signal, beforeWrite: () => {} };
      return (await open(acme).routes?.apply([operation], options))?.[0]?.kind;
    };
    assert.equal(await remove(), 'refused');
    acme.outage = new Error('502 from Acme');
    assert.equal(await remove(), 'unknown');
  });

  it('fits on two screens', () => {
    const lines = readFileSync(new URL('./provider.ts', import.meta.url), 'utf8').split('\n');
    assert.ok(lines.length <= 120, `${lines.length} lines`);
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
