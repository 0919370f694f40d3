/** Managers that break what they promise about initialised nodes, their addresses and events. */
import type { TransportRequest, TransportResponse } from '@tandem/kube/transport';
import type { LookupAnswer } from '@tandem/provider/plug';
import { oneChunk } from '../../support/api-faults/index.ts';
import type { Sabotage } from '../world/index.ts';
import {
  nodeOfPatch,
  nodeOfStatusPatch,
  type Operation,
  pretend,
  withOperations,
  wrapped,
} from './wrap-transport.ts';

/** Removes the taint first and writes the addresses afterwards, as upstream does (P1). */
export const taintFirst: Sabotage = {
  name: 'removes the taint before it writes the addresses',
  transport(inner) {
    const held = new Map<string, TransportRequest>();
    return wrapped(inner, async (request) => {
      const ofStatus = nodeOfStatusPatch(request);
      if (ofStatus !== undefined) {
        held.set(ofStatus, request);
        return pretend(inner, ofStatus, request);
      }
      const node = nodeOfPatch(request) ?? '';
      const late = held.get(node);
      if (late === undefined) return inner.send(request);
      held.delete(node);
      const answer = await inner.send(withOperations(request, withoutAddressGuard));
      await inner.send({ ...late, signal: request.signal });
      return answer;
    });
  },
};

function withoutAddressGuard<T extends { path: string }>(operations: readonly T[]): T[] {
  return operations.filter(({ path }) => path !== '/status/addresses');
}

/** Takes a node that only its label tells apart for one of this cloud's, whose machine is gone. */
export const labelBlind: Sabotage = {
  name: 'takes unmanaged nodes for its own',
  provider: (inner) => ({
    ...inner,
    lookup: (nodes, options) =>
      inner.lookup(
        nodes.map((node) => ({ ...node, labels: {} })),
        options,
      ),
  }),
};

/** Leaves a node without addresses when it writes them a second time (P3). */
export const emptiedAddresses: Sabotage = {
  name: 'empties the addresses of a node that it has written before',
  transport(inner) {
    const written = new Set<string>();
    return wrapped(inner, (request) => {
      const node = nodeOfStatusPatch(request);
      if (node === undefined || !written.has(node)) {
        if (node !== undefined) written.add(node);
        return inner.send(request);
      }
      return inner.send(withOperations(request, (operations) => operations.map(emptied)));
    });
  },
};

function emptied(operation: Operation): Operation {
  return operation.op === 'test' ? operation : { ...operation, value: [] };
}

/** Remembers answers by the name of the node, and gives a namesake those of its predecessor (P2). */
export const predecessorsAnswer: Sabotage = {
  name: 'gives a namesake what was found for its predecessor',
  provider(inner) {
    const found = new Map<string, Extract<LookupAnswer, { kind: 'found' }>>();
    return {
      ...inner,
      async lookup(nodes, options) {
        const answers = new Map(await inner.lookup(nodes, options));
        for (const { name } of nodes) {
          const known = found.get(name);
          const answer = answers.get(name);
          if (known !== undefined && answer !== undefined && 'asOfMs' in answer) {
            answers.set(name, { ...known, asOfMs: answer.asOfMs });
          } else if (answer?.kind === 'found' && answer.instance.providerID !== '') {
            found.set(name, answer);
          }
        }
        return answers;
      },
    };
  },
};

/** Takes every spelling of a providerID for another machine (P2). */
export const spellingBlind: Sabotage = {
  name: 'takes two spellings of one providerID for two machines',
  provider: (inner) => ({
    ...inner,
    identify: (providerID) => (inner.identify(providerID) === undefined ? undefined : providerID),
    async lookup(nodes, options) {
      const answers = new Map(await inner.lookup(nodes, options));
      for (const { name, providerID } of nodes) {
        const answer = answers.get(name);
        if (answer?.kind !== 'found' || providerID === '') continue;
        answers.set(name, { ...answer, instance: { ...answer.instance, providerID } });
      }
      return answers;
    },
  }),
};

/** Does not know which addresses must never be node IPs (P2). */
export const vipBlind: Sabotage = {
  name: 'takes a VIP for an address of the machine',
  settings: (settings) => ({
    ...settings,
    addressRules: { ...settings.addressRules, exclusions: [] },
  }),
};

/** Answers from copies of its own as if they were of now (P3). */
export const staleCopies: Sabotage = {
  name: 'takes a copy of what the cloud said for what it says now',
  provider(inner, clock) {
    const copies = new Map<string, { readonly answer: LookupAnswer; readonly atMs: number }>();
    return {
      ...inner,
      async lookup(nodes, options) {
        const answers = new Map(await inner.lookup(nodes, options));
        const nowMs = clock.monotonic();
        for (const { name, uid } of nodes) {
          const answer = answers.get(name);
          const copy = copies.get(uid);
          if (answer?.kind !== 'found' || answer.instance.providerID === '') continue;
          if (copy?.answer.kind === 'found' && nowMs - copy.atMs < 10_000) {
            answers.set(name, { ...copy.answer, asOfMs: nowMs });
          } else copies.set(uid, { answer, atMs: nowMs });
        }
        return answers;
      },
    };
  },
};

/** Takes a look-up that failed for the answer to all that follow it, so that requests wait (ESR). */
export const lastingFailures: Sabotage = {
  name: 'takes one failed look-up for the answer of the next half minute',
  provider(inner, clock) {
    let failed: { readonly err: unknown; readonly atMs: number } | undefined;
    return {
      ...inner,
      async lookup(nodes, options) {
        if (failed !== undefined && clock.monotonic() - failed.atMs < 30_000) throw failed.err;
        try {
          return await inner.lookup(nodes, options);
        } catch (err) {
          failed = { err, atMs: clock.monotonic() };
          throw err;
        }
      },
    };
  },
};

/** Writes the addresses that it wrote last once more whenever it renews its Lease (P5). */
export const restless: Sabotage = {
  name: 'writes addresses again and again',
  transport(inner) {
    let last: TransportRequest | undefined;
    return wrapped(inner, async (request) => {
      // Without its guards: they would keep it from doing harm.
      if (nodeOfStatusPatch(request) !== undefined) {
        last = withOperations(request, (operations) =>
          operations.filter(({ op }) => op !== 'test'),
        );
      }
      const isRenewal = request.method === 'PUT' && request.path.includes('/leases/');
      if (isRenewal && last !== undefined) {
        await inner.send({ ...last, signal: request.signal }).catch(() => undefined);
      }
      return inner.send(request);
    });
  },
};

/** Refuses nodes without an event (P6). */
export const secretRefusals: Sabotage = {
  name: 'loses the Warning events of refusals',
  transport: (inner) =>
    wrapped(inner, async (request) =>
      isWarning(request) ? created(request) : inner.send(request),
    ),
};

function isWarning({ method, path, body }: TransportRequest): boolean {
  return method === 'POST' && path.includes('/events') && String(body).includes('"Warning"');
}

function created({ body }: TransportRequest): TransportResponse {
  const headers = { 'content-type': 'application/json' };
  return { status: 201, headers, body: oneChunk(String(body)) };
}

/** Keeps refusals alive for ever, also those of nodes that are gone (M6). */
export const eventsOfTheGone: Sabotage = {
  name: 'renews refusals of nodes that are gone',
  transport(inner) {
    const said: TransportRequest[] = [];
    let renewals = 0;
    return wrapped(inner, async (request) => {
      const { method, path, body, signal } = request;
      const isEvent = method === 'POST' && path.includes('/events');
      if (isEvent && String(body).includes('"Warning"')) said.push(request);
      const isRenewal = method === 'PUT' && path.includes('/leases/');
      const again = isRenewal ? said[renewals++ % Math.max(said.length, 1)] : undefined;
      if (again !== undefined) {
        await inner
          .send({ ...again, signal, body: renamed(again, renewals) })
          .catch(() => undefined);
      }
      return inner.send(request);
    });
  },
};

/** The same event under another name, so that it is stored. */
function renamed({ body }: TransportRequest, number: number): string {
  const event = JSON.parse(String(body));
  const name = `${event.metadata.name}.${number}`;
  return JSON.stringify({ ...event, metadata: { ...event.metadata, name } });
}

/** Never hears that a node was deleted, and so remembers it for ever (M6). */
export const deafToDeletions: Sabotage = {
  name: 'remembers nodes that are gone',
  transport: (inner) =>
    wrapped(inner, async (request) => {
      const answer = await inner.send(request);
      const isWatch = request.path.includes('/nodes?') && request.path.includes('watch=');
      return isWatch ? { ...answer, body: withoutDeletions(answer.body) } : answer;
    }),
};

async function* withoutDeletions(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + new TextDecoder().decode(chunk)).split('\n');
    rest = lines.pop() ?? '';
    const kept = lines.filter((line) => !line.includes('"type":"DELETED"'));
    if (kept.length > 0) yield new TextEncoder().encode(`${kept.join('\n')}\n`);
  }
}

/** After a restart, it takes every node that it finds for done (P7). */
export const halfDone: Sabotage = {
  name: 'never ends what a process before it has begun',
  transport: (inner, { number }) =>
    wrapped(inner, (request) => {
      const node = number === 0 ? undefined : nodeOfPatch(request);
      return node === undefined ? inner.send(request) : pretend(inner, node, request);
    }),
};
