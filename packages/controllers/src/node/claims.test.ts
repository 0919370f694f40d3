import assert from 'node:assert/strict';
import { createNodeReader, type NodeProjection } from '@tandem/kube/node';
import { uninitializedTaint } from '@tandem/core/node-init';
import { NodeRecord } from '../loop/index.ts';
import { Claims } from './claims.ts';
import { newState, type CloudNodeRecord } from './node-state.ts';

const noRequest = { operator: undefined, kubelet: undefined, labels: undefined };

const reader = createNodeReader();
const tainted = [{ key: uninitializedTaint, effect: 'NoSchedule' }];

function someClaims(isOurs: (providerID: string) => boolean = () => true): {
  readonly claims: Claims;
  readonly add: (name: string, taints?: typeof tainted, providerID?: string) => CloudNodeRecord;
} {
  const nodes = new Map<string, NodeProjection>();
  // A providerID may be spelt in several ways: the part after the last slash identifies the
  // instance.
  const identify = (providerID: string): string | undefined =>
    isOurs(providerID) ? providerID.split('/').at(-1) : undefined;
  const claims = new Claims({ nodes, identify });
  return {
    claims,
    add(name, taints = [], providerID = 'cloud:///one') {
      const metadata = { name, uid: `uid-${name}`, resourceVersion: '1' };
      nodes.set(name, reader.fromJson({ metadata, spec: { taints, providerID } }));
      return new NodeRecord({ name, uid: `uid-${name}` }, newState(noRequest, 0));
    },
  };
}

const names = (records: readonly { readonly name: string }[]): string[] =>
  records.map(({ name }) => name);

describe('claims', () => {
  it('for one instance are rivals, whether the Node or the cloud named it, in any spelling (P2)', () => {
    const { claims, add } = someClaims();
    const [a, b, c] = [add('a'), add('b', tainted), add('c')];
    claims.setOwn(a, 'cloud:///one');
    claims.setFound(b, 'cloud://zone/one');
    claims.setOwn(c, 'cloud:///two');
    assert.deepEqual(names(claims.rivals(a)), ['b']);
    assert.deepEqual(
      claims.claimants(b).map(({ name, isInitialised }) => [name, isInitialised]),
      [['a', true]],
    );
    assert.deepEqual(claims.rivals(c), []);
  });

  it('of a node that is being initialised count as claims of an initialised node', () => {
    const { claims, add } = someClaims();
    const [a, b] = [add('a', tainted), add('b', tainted)];
    for (const record of [a, b]) claims.setFound(record, 'cloud:///one');
    assert.deepEqual(
      claims.claimants(b).map(({ isInitialised }) => isInitialised),
      [false],
    );
    a.state.isTaking = true;
    assert.deepEqual(
      claims.claimants(b).map(({ isInitialised }) => isInitialised),
      [true],
    );
  });

  it('of another cloud’s node do not count until its providerID becomes ours', () => {
    let isOurs = false;
    const { claims, add } = someClaims((providerID) => isOurs || providerID !== 'other-one');
    const [a, b] = [add('a', [], 'other-one'), add('b', tainted)];
    claims.setOwn(a, 'other-one');
    claims.setFound(b, 'cloud:///other-one');
    assert.deepEqual(claims.claimants(b), []);
    isOurs = true;
    assert.deepEqual(names(claims.claimants(b)), ['a']);
  });

  it('that change or end free their instance for the other Nodes (M6)', () => {
    const { claims, add } = someClaims();
    const [a, b] = [add('a'), add('b')];
    for (const record of [a, b]) claims.setFound(record, 'cloud:///one');
    assert.deepEqual(names(claims.setFound(b, 'cloud:///one')), []);
    assert.deepEqual(names(claims.setFound(b, 'cloud:///two')), ['a']);
    assert.deepEqual(claims.rivals(a), []);
    claims.setOwn(b, 'cloud:///one');
    assert.deepEqual(names(claims.setFound(b, '')), []);
    assert.deepEqual(names(claims.drop(b)), ['a']);
    b.isGone = true;
    claims.setFound(b, 'cloud:///one');
    assert.deepEqual(claims.rivals(a), []);
  });
});
