/**
 * Looks nodes up: finds the machine of each node and then its network, in lists that many nodes share. Only lists that
 * this look-up read itself prove that a machine is absent: an older list may lack a new machine.
 */
import type { LookupAnswer, LookupAnswers, LookupOptions, NodeRef } from '@tandem/provider/plug';
import { afterTurn, type Clock } from '@tandem/runtime';
import { AzureError } from './failure.ts';
import { findMachine, type Match } from './find-machines.ts';
import type { Fleet, FleetView, NetworkScope } from './fleet.ts';
import { instanceOf } from './instance.ts';
import type { InterfaceFacts, PublicAddressFacts } from './interface.ts';
import { valueOf } from './list-cache.ts';
import type { MachineApi } from './machine-api.ts';
import { type Machine, withPower, withStatus } from './machine.ts';
import { readAhead } from './read-ahead.ts';
import { idKeyOf, parseResourceId, type Scope } from './resource-id.ts';
import type { Forwarding } from './routes/index.ts';
import { SecondQuestions } from './second-questions.ts';

export interface LookUpOptions extends LookupOptions {
  readonly fleet: Fleet;
  readonly api: MachineApi;
  readonly clock: Clock;
  /** The scope of nodes whose labels and providerID name no other. */
  readonly scope: Scope;
  readonly forwarding: Forwarding;
}

export async function lookUp(
  nodes: readonly NodeRef[],
  options: LookUpOptions,
): Promise<LookupAnswers> {
  options.signal.throwIfAborted();
  const begunAtMs = options.clock.monotonic();
  const answers = await lookUpOnce(nodes, options);
  options.forwarding.tell();
  const doubtful = nodes.filter(({ name }) => {
    const answer = answers.get(name);
    return answer?.kind === 'absent' && answer.asOfMs < begunAtMs;
  });
  if (doubtful.length === 0) return answers;
  return new Map([...answers, ...(await lookUpOnce(doubtful, { ...options, maxAgeMs: 0 }))]);
}

async function lookUpOnce(
  nodes: readonly NodeRef[],
  options: LookUpOptions,
): Promise<LookupAnswers> {
  const { fleet, api, scope, signal, forwarding } = options;
  const view = fleet.open(options);
  const second = new SecondQuestions(api, signal);
  await readAhead(nodes, { view, scope });
  const answers = new Map<string, LookupAnswer>();
  for (const [index, node] of nodes.entries()) {
    if (index % nodesInTurn === nodesInTurn - 1) await nextTurn();
    const match = await findMachine(node, { view, second, scope });
    const note = ({ isForwarding }: InterfaceFacts): void =>
      forwarding.note(node.name, isForwarding);
    const answer = match.kind === 'found' ? await describe(match, view, note) : match;
    answers.set(node.name, answer);
  }
  signal.throwIfAborted();
  return answers;
}

/** The lists are in memory at this point, so thousands of nodes without a pause would block the event loop. */
const nodesInTurn = 200;

async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => afterTurn(resolve));
}

/** Returns the complete instance, or `unknown` if a part of it cannot be read (P3). */
async function describe(
  { machine, asOfMs: machineAsOfMs }: Extract<Match, { readonly kind: 'found' }>,
  view: FleetView,
  note: (own: InterfaceFacts) => void,
): Promise<LookupAnswer> {
  let asOfMs = machineAsOfMs;
  const take = <T>(list: { readonly value: T; readonly asOfMs: number }): T => {
    asOfMs = Math.min(asOfMs, list.asOfMs);
    return list.value;
  };
  try {
    const known = await withState(machine, view, take);
    const own = await interfaceOf(known, view, take);
    if (own !== undefined) note(own);
    const scopes = own?.publicIds.flatMap((id) => scopeOf(id) ?? []) ?? [];
    const publicAddresses = new Map<string, PublicAddressFacts>();
    for (const scope of scopes) {
      const listed = take(valueOf(await view.publicAddresses(scope)));
      for (const id of own?.publicIds ?? []) {
        const facts = listed.get(idKeyOf(id));
        if (facts !== undefined) publicAddresses.set(facts.key, facts);
      }
    }
    const instance = instanceOf(known, { interface: own, publicAddresses });
    return { kind: 'found', instance, asOfMs };
  } catch (err) {
    if (err instanceof AzureError) return { kind: 'unknown', err };
    throw err;
  }
}

type Take = <T>(list: { readonly value: T; readonly asOfMs: number }) => T;

/** Adds the power state, which lists of virtual machines lack. It comes from other lists. */
async function withState(machine: Machine, view: FleetView, take: Take): Promise<Machine> {
  const { ref, flexibleSetId: id } = machine;
  if (ref.scaleSet !== undefined) return machine;
  const listed = take(
    valueOf(
      id === undefined
        ? await view.statuses(ref.scope.subscriptionId)
        : await view.flexibleMachines({ ...ref.scope, id }),
    ),
  );
  if (listed === undefined) return withPower(machine, 'unknown');
  const status = listed.byKey.get(ref.key);
  return status === undefined ? machine : withStatus(machine, status);
}

async function interfaceOf({ ref, interfaceKey = '' }: Machine, view: FleetView, take: Take) {
  const { scope, scaleSet } = ref;
  const place = scaleSet === undefined ? scopeOf(interfaceKey) : { ...scope, scaleSet };
  if (place === undefined) return undefined;
  return take(valueOf(await view.interfaces(place))).get(interfaceKey);
}

/** Returns the place where Azure lists the resource: its resource group, or its scale set. */
function scopeOf(id: string): NetworkScope | undefined {
  const parsed = parseResourceId(id);
  if (parsed === undefined) return undefined;
  const { subscriptionId, resourceGroup, path } = parsed;
  const [kind = '', scaleSet = ''] = path;
  const scope = { subscriptionId, resourceGroup };
  return kind.toLowerCase() === 'virtualmachinescalesets' ? { ...scope, scaleSet } : scope;
}
