import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { planStack } from './index.ts';

describe('the example controller', () => {
  const cases = [
    { addresses: [], want: undefined },
    { addresses: ['10.0.0.1'], want: 'IPv4' },
    { addresses: ['fd00::1'], want: 'IPv6' },
    { addresses: ['fd00::1', '10.0.0.1'], want: 'dual-stack' },
  ];
  for (const { addresses, want } of cases) {
    it(`calls ${addresses.join(' and ') || 'no address'} ${want ?? 'nothing'}`, () => {
      const listed = addresses.map((address) => ({ type: 'InternalIP', address }));
      assert.equal(planStack({ addresses: listed }), want);
    });
  }
});

describe('guide for writing a controller', () => {
  const read = (path: string): string =>
    readFileSync(new URL(path, import.meta.url), 'utf8').trimEnd();

  it('shows the example as it is tested, which has fewer than 120 lines', () => {
    const source = read('./controller.ts');
    assert.ok(read('../../../docs/guides/write-a-controller.md').includes(source));
    assert.ok(source.split('\n').length < 120);
  });

  it('shows the declaration as it is tested', () => {
    const guide = read('../../../docs/guides/write-a-controller.md');
    assert.ok(guide.includes(read('./declaration.ts')));
  });
});
