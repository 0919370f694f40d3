import assert from 'node:assert/strict';
import { Store } from '../../store/index.ts';
import { Board } from './board.ts';

function aBoard() {
  const store = new Store();
  const board = new Board({
    store,
    findNodeIP: () => null,
    findAddresses: () => undefined,
    rankOf: () => 0,
  });
  const put = (name: string, podCIDRs: readonly string[]): void => {
    const metadata = { name, uid: name, creationTimestamp: '2026-01-01T00:00:00Z' };
    store.collection('nodes').put({ metadata, spec: { podCIDRs: [...podCIDRs] } });
    store.collection('events').put({
      metadata: { ...metadata, uid: `event-${name}`, name: `event-${name}` },
      involvedObject: { kind: 'Node', name, uid: name },
      reason: 'DuplicatePodCIDR',
      message: 'overlaps a podCIDR of another node',
    });
  };
  return { store, board, put };
}

describe('the board', () => {
  it('ends a conflict about pod CIDRs when one of the two nodes is gone', () => {
    const { store, board, put } = aBoard();
    put('a', ['10.0.0.0/24']);
    put('b', ['10.0.0.0/24']);
    put('a', ['10.0.0.0/24']);
    const codes = (): readonly (string | undefined)[] =>
      board.rows.map(({ podCIDRProblem }) => podCIDRProblem?.code);
    assert.deepEqual(codes(), ['DuplicatePodCIDR', 'DuplicatePodCIDR']);
    store.collection('nodes').remove('b');
    assert.deepEqual(codes(), [undefined]);
  });
});
