/**
 * Looks at every write as it is stored, and holds the promises against it. Written from the promises
 * alone, in the plainest way, and shares no code with what it judges. It looks at the object that changed
 * and at nothing else, so that ten thousand worlds can be looked at.
 */
import { textAt } from '@tandem/devcluster/json';
import type { Change, Store } from '@tandem/devcluster/store';
import type { TransportRequest } from '@tandem/kube/transport';
import type { Clock } from '@tandem/runtime';
import type { Writer } from './author.ts';
import type { ConditionLaw } from './condition-law.ts';
import { objectionTo } from './deletion-law.ts';
import { resolveNaively } from './naive-addresses.ts';
import { naiveCidr } from './naive-cidr.ts';
import type { Assignment, PodCIDRLaw } from './pod-cidr-law.ts';
import type { ReuseLaw } from './reuse-law.ts';
import type { RouteLaw } from './route-law.ts';
import {
  isTainted,
  nodeOf,
  podCIDRsOf,
  requestOf,
  type StoredNode,
  textsOf,
} from './stored-node.ts';
import { machineKeyOf, type Truth } from './truth.ts';
import type { Accuse } from './violation.ts';

type Request = Pick<TransportRequest, 'method' | 'path' | 'body'>;

interface OverseerOptions {
  readonly store: Store;
  readonly truth: Truth;
  readonly accuse: Accuse;
  /** Of worlds in which the manager allocates. */
  readonly podCIDRLaw: PodCIDRLaw | undefined;
  /** Of worlds in which it manages routes. */
  readonly routeLaws: RouteLaws | undefined;
  readonly connections: {
    /** Whether an answer to a write to this path got lost: it may then be sent a second time. */
    hasLostAnswer(path: string): boolean;
  };
  readonly graceMs: number;
  /** How much later than it changes the cloud may show it. */
  readonly lagMsMax: number;
  readonly clock: Clock;
}

export interface RouteLaws {
  readonly routes: RouteLaw;
  readonly conditions: ConditionLaw;
  readonly reuse: ReuseLaw;
}

const wantOfAddress = new Set(['NoCloudAddresses', 'NoAddressOfFamily', 'AddressNotFound']);

/** An event may have been under way when its Node went, and is tried again for a while. */
const underWayMs = 60_000;

export class Overseer {
  readonly #options: OverseerOptions;
  /** Warning events by `uid/reason`. */
  readonly #warnings = new Set<string>();
  /** All that each Node has ever asked for, and when it first did. */
  readonly #requests = new Map<string, Map<string | null, number>>();
  /** Which Node is initialised as each machine, and whether by a write that came late. */
  readonly #holders = new Map<string, { readonly uid: string; readonly isLate: boolean }>();
  /** The version at which the Lease last changed hands. */
  #takenAt = 0;
  /** When each Node went. */
  readonly #goneAtMs = new Map<string, number>();
  /** When faults stopped to keep the manager from hearing and being heard. */
  #healedAtMs = Number.POSITIVE_INFINITY;
  /** Who is writing right now: requests take effect in one go. */
  #writer: Writer | undefined;
  #silence: 'none' | 'nodes' | 'all' = 'none';
  /** Writes that were looked at. */
  writes = 0;

  constructor(options: OverseerOptions) {
    this.#options = options;
    options.store.onChange((collection, change) => this.#look(collection, change));
  }

  hasWarned(uid: string, reason: string): boolean {
    return this.#warnings.has(`${uid}/${reason}`);
  }

  /** What the manager has not to write from now on: nothing to nodes, or nothing at all (P5). */
  expectSilence(of: 'none' | 'nodes' | 'all'): void {
    this.#silence = of;
  }

  /** From now on the manager hears of everything at once. */
  heal(): void {
    this.#healedAtMs = this.#options.clock.monotonic();
  }

  /** Lets one request have its effect, and looks at what became of it. */
  during<T extends { readonly status: number }>(
    writer: Writer | undefined,
    request: Request,
    act: () => T,
  ): T {
    const { store, podCIDRLaw } = this.#options;
    const { version } = store;
    this.#writer = writer;
    const answer = act();
    this.#writer = undefined;
    if (writer !== undefined && request.method !== 'GET' && isAboutNodes(request)) {
      if (answer.status < 300 && store.version === version) this.#accuseNoOp(request);
      if (request.method === 'DELETE') this.#lookAtDelete(request);
      if (request.method === 'PATCH') podCIDRLaw?.sent(request);
    }
    return answer;
  }

  #accuseNoOp({ method, path, body }: Request): void {
    const { accuse, connections } = this.#options;
    if (!connections.hasLostAnswer(path))
      accuse('P5', `${method} ${path} changed nothing: ${String(body)}`);
  }

  #lookAtDelete({ path, body }: Request): void {
    const { preconditions = {} } = JSON.parse(String(body ?? '{}'));
    if (preconditions.uid && preconditions.resourceVersion) return;
    this.#options.accuse('P3', `DELETE ${path} without preconditions: ${String(body)}`);
  }

  #look(collection: string, change: Change): void {
    this.writes++;
    if (collection === 'nodes') this.#lookAtNode(change);
    else if (collection === 'events') this.#lookAtEvent(change);
    else if (collection === 'leases') this.#lookAtLease(change);
  }

  /** A manager that takes the Lease lists the nodes after that. */
  #lookAtLease({ before, after, version }: Change): void {
    const holder = textAt(after, 'spec', 'holderIdentity');
    const isTaken = holder !== '' && holder !== textAt(before, 'spec', 'holderIdentity');
    if (!isTaken) return;
    this.#takenAt = version;
    this.#writer?.author.began(version);
  }

  #lookAtEvent({ before, after }: Change): void {
    const writer = this.#writer;
    if (writer === undefined || after === undefined || !isStoredEvent(after)) return;
    const { type, reason, involvedObject } = after;
    if (reason === 'CIDRNotAvailable' && before === undefined) {
      this.#options.podCIDRLaw?.toldOfExhaustion(after, writer.author.name);
    }
    this.#lookAtSubject(reason, involvedObject);
    if (type === 'Warning') this.#warnings.add(`${involvedObject.uid}/${reason}`);
    if (wantOfAddress.has(reason)) this.#lookAtRefusal(reason, involvedObject);
    if (this.#silence === 'all' && type !== 'Warning') {
      this.#options.accuse('P5', `an event ${reason} on ${involvedObject.name} in a quiet world`);
    }
  }

  /**
   * A request is refused for want of an address only on what the cloud showed after it was made (P3): on
   * no list that the machine had lost by then.
   */
  #lookAtRefusal(code: string, { name, uid }: StoredEvent['involvedObject']): void {
    const { truth, lagMsMax, accuse } = this.#options;
    // Who is late to hear that a Node is gone may have found its namesake's machine.
    if (this.#goneAtMs.has(uid)) return;
    const requests = this.#requests.get(uid) ?? [];
    for (const { addresses, untilMs } of truth.listsOf(truth.ownOf(uid))) {
      for (const [request, madeAtMs] of requests) {
        if (untilMs + lagMsMax < madeAtMs) continue;
        const answer = resolveNaively(addresses, request);
        if (answer.kind === 'refused' && answer.code === code) return;
      }
    }
    accuse('P3', `${name} was refused with ${code} on what its machine had before the request`);
  }

  /** Nothing is said about a Node that has been gone for long (M6). */
  #lookAtSubject(reason: string, { name, uid }: StoredEvent['involvedObject']): void {
    const { clock, accuse } = this.#options;
    const goneAtMs = this.#goneAtMs.get(uid);
    if (goneAtMs === undefined) return;
    const sinceMs = clock.monotonic() - Math.max(goneAtMs, this.#healedAtMs);
    if (sinceMs <= underWayMs) return;
    accuse(
      'M6',
      `an event ${reason} on ${name}, which has been gone for ${Math.round(sinceMs)} ms`,
    );
  }

  #lookAtNode(change: Change): void {
    const before = nodeOf(change.before);
    const after = nodeOf(change.after);
    const { accuse } = this.#options;
    const name = change.key;
    if (this.#silence !== 'none' && this.#writer !== undefined) {
      accuse('P5', `a write to ${name} in a converged world`);
    }
    if (after === undefined) return this.#lookAtDeletion(before, change.version);
    if (before === undefined) {
      this.#options.truth.registered(name, after.metadata.uid);
      if (this.#writer !== undefined) accuse('P2', `the manager created ${name}`);
    }
    if (before?.metadata.annotations !== after.metadata.annotations) this.#noteRequest(after);
    const isAssigned = podCIDRsOf(after).join() !== (before ? podCIDRsOf(before).join() : '');
    if (isAssigned) this.#lookAtAssignment({ before, after, version: change.version });
    else if (this.#writer !== undefined && before !== undefined) this.#lookAtWrite(before, after);
    this.#lookAtStanding({ before, after });
    this.#lookAtNetwork({ before, after, version: change.version });
  }

  #lookAtNetwork({ before, after, version }: StoredChange): void {
    const { routeLaws } = this.#options;
    if (routeLaws === undefined) return;
    routeLaws.routes.changed(before, after, version);
    const writer = this.#writer;
    if (before !== undefined && writer !== undefined) {
      routeLaws.conditions.wrote(before, after, writer);
    }
  }

  /** Pod CIDRs are given to every node, whosever it is, in a write of their own. */
  #lookAtAssignment(assignment: StoredChange): void {
    const { podCIDRLaw, routeLaws, accuse } = this.#options;
    podCIDRLaw?.assigned({ ...assignment, ledSince: this.#writer?.ledSince });
    const { after, version } = assignment;
    const { name, uid } = after.metadata;
    const cidrs = podCIDRsOf(after).map(naiveCidr);
    routeLaws?.reuse.assigned(uid, { name, cidrs, version }, this.#writer);
    const isUnasked = podCIDRLaw === undefined && this.#writer !== undefined;
    if (isUnasked) accuse('I3', `${name} got pod CIDRs from a manager that allocates none`);
  }

  #noteRequest(node: StoredNode): void {
    const { uid } = node.metadata;
    const requests = this.#requests.get(uid) ?? new Map<string | null, number>();
    const request = requestOf(node);
    if (!requests.has(request)) requests.set(request, this.#options.clock.monotonic());
    this.#requests.set(uid, requests);
  }

  #lookAtDeletion(node: StoredNode | undefined, version: number): void {
    if (node === undefined) return;
    const { uid } = node.metadata;
    const { providerID = '' } = node.spec;
    const machine = machineKeyOf(providerID);
    if (this.#holders.get(machine)?.uid === uid) this.#holders.delete(machine);
    this.#goneAtMs.set(uid, this.#options.clock.monotonic());
    this.#options.podCIDRLaw?.gone(uid);
    this.#options.routeLaws?.routes.gone(uid, version);
    this.#options.routeLaws?.reuse.gone(uid);
    if (this.#writer === undefined) return;
    const { truth, graceMs, accuse } = this.#options;
    const { evidence } = this.#writer.author;
    const objection = objectionTo(node, { truth, evidence, graceMs });
    if (objection !== undefined) accuse('P3', objection);
  }

  /** What the manager made of a node: nothing but what the cloud gave to this very node (P2, P3). */
  #lookAtWrite(before: StoredNode, after: StoredNode): void {
    const { truth, accuse } = this.#options;
    const { name, uid } = after.metadata;
    const own = truth.ownOf(uid);
    if (own === '') accuse('P2', `${name} is not of this cloud, and was written to`);
    if (before.status.addresses !== after.status.addresses) this.#lookAtAddresses(before, after);
    const { providerID = '' } = after.spec;
    if (before.spec.providerID !== after.spec.providerID && providerID !== own) {
      accuse('P2', `${name} got the providerID ${providerID}, its machine is ${own}`);
    }
  }

  #lookAtAddresses(before: StoredNode, after: StoredNode): void {
    const { accuse } = this.#options;
    const { name } = after.metadata;
    const texts = textsOf(after.status.addresses);
    if (texts.length === 0) return accuse('P3', `the addresses of ${name} were emptied`);
    const hostname = hostnameOf(before);
    if (hostname !== undefined && hostnameOf(after) !== hostname) {
      accuse('P3', `${name} lost its Hostname ${hostname}`);
    }
    if (!this.#isGiven(after, texts)) {
      accuse('P2', `${name} got ${texts.join(', ')}, which its machine never had for its requests`);
    }
  }

  /** Whether some state of its own machine, asked in some way it was asked in, gives this list. */
  #isGiven({ metadata: { uid } }: StoredNode, texts: readonly string[]): boolean {
    const { truth } = this.#options;
    const wanted = texts.join();
    for (const { addresses } of truth.listsOf(truth.ownOf(uid))) {
      for (const request of this.#requests.get(uid)?.keys() ?? [null]) {
        const answer = resolveNaively(addresses, request);
        if (answer.kind === 'addresses' && answer.texts.join() === wanted) return true;
      }
    }
    return false;
  }

  /** A node without the taint has all that the taint waits for (P1), and no other node has its machine (P2). */
  #lookAtStanding({ before, after }: Pick<StoredChange, 'before' | 'after'>): void {
    if (isTainted(after)) return;
    const { accuse } = this.#options;
    const { name, uid } = after.metadata;
    const { providerID = '' } = after.spec;
    const texts = textsOf(after.status.addresses);
    if (providerID === '') accuse('P1', `${name} has neither taint nor providerID`);
    if (texts.length === 0) accuse('P1', `${name} has neither taint nor addresses`);
    if (before === undefined || !isTainted(before)) return;
    if (!this.#isGiven(after, texts)) {
      accuse('P1', `${name} lost its taint with ${texts.join(', ')}, which the cloud did not give`);
    }
    const machine = machineKeyOf(providerID);
    const holder = this.#holders.get(machine);
    const isLate = this.#isLate;
    const isExcused = isLate || holder?.isLate === true;
    if (holder !== undefined && holder.uid !== uid && !isExcused) {
      accuse('P2', `${name} and the node ${holder.uid} are both initialised as ${providerID}`);
    }
    this.#holders.set(machine, { uid, isLate });
  }

  /**
   * Whether what is stored now was sent in a term that is over. Its author could not know what the next leader
   * does, and the next leader has listed the nodes before it was stored.
   */
  get #isLate(): boolean {
    return this.#writer !== undefined && this.#writer.ledSince < this.#takenAt;
  }
}

type StoredChange = Omit<Assignment, 'ledSince'>;

interface StoredEvent {
  readonly type: string;
  readonly reason: string;
  readonly eventTime: string;
  readonly message: string;
  readonly involvedObject: { readonly name: string; readonly uid: string };
}

function isStoredEvent(object: object): object is StoredEvent {
  return 'involvedObject' in object;
}

function hostnameOf({ status }: StoredNode): string | undefined {
  return status.addresses?.find(({ type }) => type === 'Hostname')?.address;
}

function isAboutNodes({ path }: Pick<TransportRequest, 'path'>): boolean {
  return path.startsWith('/api/v1/nodes');
}
