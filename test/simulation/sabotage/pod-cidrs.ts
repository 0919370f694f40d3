/** Managers that break what they promise about pod CIDRs. */
import { NodeIpamController } from '@tandem/controllers/node-ipam';
import { PodCIDRLedger } from '@tandem/core/allocation';
import { CidrSet } from '@tandem/core/cidr-set';
import { formatCidr } from '@tandem/core/ip';
import { Informer } from '@tandem/kube/informer';
import type { TransportResponse } from '@tandem/kube/transport';
import { oneChunk } from '../../support/api-faults/index.ts';
import type { Sabotage } from '../world/index.ts';
import { replaceGetter, replaceMethod } from './replace-member.ts';
import { bodyText, changedAssignments, wrapped } from './wrap-transport.ts';

/** Hands out blocks of service ranges (I2). */
export const serviceBlind: Sabotage = {
  name: 'takes service ranges for free',
  flags: ['--service-cluster-ip-range='],
};

/** Writes pod CIDRs to any node of the name, whether or not it has some (I3). */
export const unguarded: Sabotage = {
  name: 'writes pod CIDRs without guards',
  transport: (inner) =>
    changedAssignments(inner, (operations) => operations.filter(({ op }) => op !== 'test')),
};

/** Writes the first of two pod CIDRs alone (I4). */
export const halfPairs: Sabotage = {
  name: 'writes one of two families',
  transport: (inner) =>
    changedAssignments(inner, (operations) =>
      operations.map((one) =>
        Array.isArray(one.value) ? { ...one, value: one.value.slice(0, 1) } : one,
      ),
    ),
};

/** Keeps the block of the first family where the second one has none left, as upstream does (I4). */
export const leakedFirstFamily: Sabotage = {
  name: 'leaks the block of the first family when the second one is exhausted',
  replace() {
    let isReserving = false;
    const restoreReserve = replaceMethod(
      PodCIDRLedger.prototype,
      'reserve',
      (own) =>
        function reserve(this: PodCIDRLedger, ...args): ReturnType<typeof own> {
          isReserving = true;
          const reserved = own.apply(this, args);
          isReserving = false;
          return reserved;
        },
    );
    const restoreRelease = replaceMethod(
      CidrSet.prototype,
      'release',
      (own) =>
        function release(this: CidrSet, ...args): number {
          return isReserving ? 0 : own.apply(this, args);
        },
    );
    return () => {
      restoreReserve();
      restoreRelease();
    };
  },
};

/** Takes the pod CIDRs of a node into account when its turn comes, and hands out blocks before that (I8). */
export const nodesInTurn: Sabotage = {
  name: 'allocates before it has taken in every node',
  replace: () => replaceMethod(NodeIpamController.prototype, 'added', () => () => undefined),
};

/** Recognises a pod CIDR by the text that it would write itself (I1). */
export const textCompare: Sabotage = {
  name: 'compares pod CIDRs as text',
  replace: () =>
    replaceMethod(
      PodCIDRLedger.prototype,
      'show',
      (own) =>
        function show(this: PodCIDRLedger, holder, podCIDRs): ReturnType<typeof own> {
          const known = podCIDRs.filter(({ text, cidr }) => cidr && formatCidr(cidr) === text);
          return own.call(this, holder, known);
        },
    ),
};

/** Says that a pool is exhausted again and again, each time by another event (I9). */
export const repeatedExhaustion: Sabotage = {
  name: 'tells of an exhausted pool more than once',
  transport: (inner) =>
    wrapped(inner, async (request) => {
      const isExhaustion =
        request.method === 'POST' && String(request.body).includes('CIDRNotAvailable');
      if (!isExhaustion) return inner.send(request);
      const { metadata, ...event } = JSON.parse(String(request.body));
      const again = { ...event, metadata: { ...metadata, name: `${metadata.name}.again` } };
      await inner.send({ ...request, body: JSON.stringify(again) }).catch(() => undefined);
      return inner.send(request);
    }),
};

/** Does not notice that a node that goes leaves blocks to those who wait (I9). */
export const deafToSpace: Sabotage = {
  name: 'lets nodes wait although blocks became free',
  replace: () =>
    replaceMethod(
      PodCIDRLedger.prototype,
      'drop',
      (own) =>
        function drop(this: PodCIDRLedger, uid: string): ReturnType<typeof own> {
          return { ...own.call(this, uid), freed: 0 };
        },
    ),
};

/** Gives a block to another node while routes still lead to the machine of its last one (I7). */
export const routedBlocks: Sabotage = {
  name: 'hands out a block before its route is gone',
  replace: () =>
    replaceMethod(
      PodCIDRLedger.prototype,
      'depart',
      () =>
        function depart(this: PodCIDRLedger, uid: string): ReturnType<PodCIDRLedger['depart']> {
          return { ...this.drop(uid), held: [] };
        },
    ),
};

/** Lets go of a block when it is not known whether its write was stored, as upstream does (I5). */
export const releaseOnUnknown: Sabotage = {
  name: 'releases the blocks of a write whose outcome is unknown',
  replace: () =>
    replaceMethod(
      PodCIDRLedger.prototype,
      'doubt',
      () =>
        function doubt(this: PodCIDRLedger, uid: string): void {
          this.giveUp(uid);
        },
    ),
};

/** Takes the deletion of a node for that of the node that has its name by then (I5). */
export const releaseByName: Sabotage = {
  name: 'releases the blocks of a node that has the name of one that is gone',
  replace() {
    const gone = new Set<string>();
    const restoreDrop = replaceMethod(
      PodCIDRLedger.prototype,
      'drop',
      (own) =>
        function drop(this: PodCIDRLedger, uid: string): ReturnType<typeof own> {
          gone.add(this.nameOf(uid));
          return own.call(this, uid);
        },
    );
    const restoreReserve = replaceMethod(
      PodCIDRLedger.prototype,
      'reserve',
      (own) =>
        function reserve(this: PodCIDRLedger, holder, pool): ReturnType<typeof own> {
          const reserved = own.call(this, holder, pool);
          if (gone.delete(holder.name)) this.drop(holder.uid);
          return reserved;
        },
    );
    return () => {
      restoreDrop();
      restoreReserve();
    };
  },
};

/** Hands out blocks by a cache that may be behind what the leader before it has written (I8). */
export const noConsistentList: Sabotage = {
  name: 'allocates without a consistent list of nodes',
  replace: () => replaceMethod(Informer.prototype, 'catchUp', () => () => Promise.resolve()),
};

/** Takes a Lease that ran out for one that was given back, and waits for no last write (I8). */
export const noHoldDown: Sabotage = {
  name: 'waits for no last write of a leader whose Lease ran out',
  transport: (inner, { clock }) =>
    wrapped(inner, async (request) => {
      const response = await inner.send(request);
      const isRead = request.method === 'GET' && /\/leases\/[^?]+$/.test(request.path);
      return isRead && response.status === 200 ? released(response, clock.now()) : response;
    }),
};

async function released(response: TransportResponse, nowMs: number): Promise<TransportResponse> {
  const text = await bodyText(response);
  const { spec, ...lease } = JSON.parse(text);
  const endMs = Date.parse(spec.renewTime) + spec.leaseDurationSeconds * 1_000;
  const body = endMs <= nowMs ? { ...lease, spec: { ...spec, holderIdentity: '' } } : undefined;
  return { ...response, body: oneChunk(body === undefined ? text : JSON.stringify(body)) };
}

/** Lets the API server work on its writes for as long as that likes, beyond what the next leader waits for (I8). */
export const noServerTimeout: Sabotage = {
  name: 'does not tell the API server how long it may work on a write',
  transport: (inner) =>
    wrapped(inner, (request) =>
      inner.send({ ...request, path: request.path.replace(/[?&]timeout=\d+ms/, '') }),
    ),
};

/** Gives its Lease back although a write may still be stored, so that the next leader does not wait for it (I8). */
export const releasedInDoubt: Sabotage = {
  name: 'releases its Lease with an allocation in doubt',
  replace: () => replaceGetter(NodeIpamController.prototype, 'hasWriteInDoubt', () => false),
};

/** Begins a term on the cache of a standby, which may be behind the writes of its predecessor (P2). */
export const noTermList: Sabotage = {
  ...noConsistentList,
  name: 'begins a term without a consistent list of nodes',
};
