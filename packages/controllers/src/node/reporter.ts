/**
 * Says what became of nodes, to people and to metrics: an event on the node, a line in the log, a count.
 * Something that stands, such as a refusal, is said when it begins and kept alive until it ends (P6); a
 * reconcile that finds nothing new says nothing (P5). In a dry run no event is sent.
 */
import { type Refusal, requestsDifferReason } from '@tandem/core/node-address';
import {
  isInitialised,
  type NodeAction,
  type NodeRefusal,
  pausedAnnotation,
} from '@tandem/core/node-init';
import type { NodeProjection } from '@tandem/kube/codec';
import { type NewEvent, nodeReference } from '@tandem/kube/events';
import type { Clock, Logger } from '@tandem/runtime';
import type { Decision } from './decision.ts';
import { controllerName, type NodeEventReason, nodeEvents, refusalActions } from './events.ts';
import type { NodeMetrics } from './metrics.ts';
import { addressesChangedNote, listOf, syncedNote } from './notes.ts';
import type { Recorder } from './options.ts';

export interface ReporterOptions {
  /** Nothing in a dry run. */
  readonly recorder: Recorder | undefined;
  readonly metrics: NodeMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Called whenever somebody's standing changed. */
  readonly onChange: () => void;
}

/** What was said about a node and is still so. */
interface Said {
  readonly reason: string;
  readonly message: string;
  readonly isRefusal: boolean;
}

/** A node has one standing at a time. */
const matter = 'standing';

export class Reporter {
  readonly #options: ReporterOptions;
  readonly #said = new Map<string, Said>();
  readonly #disagreements = new Map<string, string>();

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#said.size + this.#disagreements.size;
  }

  /** Why a node is not as it shall be, if that was said. */
  standing(uid: string): { readonly reason: string; readonly isRefusal: boolean } | undefined {
    return this.#said.get(uid);
  }

  refused(
    node: NodeProjection,
    refusal: Refusal | NodeRefusal,
    { isAboutLabels }: { readonly isAboutLabels: boolean } = { isAboutLabels: false },
  ): void {
    const { code, message } = refusal;
    if (this.#isSaid(node.uid, message)) return;
    const isNew = this.#said.get(node.uid)?.reason !== code;
    this.#stand(node, { reason: code, message, isRefusal: true });
    if (isNew) this.#options.metrics.refused(code);
    this.#options.logger.warn({ node: node.name, code, reason: message }, 'Refused node');
    const tried = isInitialised(node)
      ? refusalActions[isAboutLabels ? 'labels' : 'initialised']
      : refusalActions.uninitialised;
    this.#options.recorder?.sustain({
      ...aboutNode(node),
      type: 'Warning',
      action: tried,
      reason: code,
      note: message,
      matter,
    });
  }

  paused(node: NodeProjection): void {
    const message = `${pausedAnnotation} is "true": the node is left alone until it is removed`;
    if (this.#isSaid(node.uid, message)) return;
    this.#endStanding(node.uid);
    this.#stand(node, { reason: 'paused', message, isRefusal: false });
    this.#options.logger.info({ node: node.name }, 'Left paused node alone');
    this.#record(node, 'Paused', message);
  }

  settled(node: NodeProjection): void {
    const said = this.#said.get(node.uid);
    if (said === undefined) return;
    this.#endStanding(node.uid);
    this.#options.onChange();
    const { reason } = said;
    this.#options.logger.info({ node: node.name, reason }, 'Found node in order again');
  }

  /** Two sources that ask for different things: said once, until it is something else. */
  disagreed({ node, plan }: Decision): void {
    if (plan.disagreement === null) {
      // A plan without a verdict about addresses has not looked.
      if (plan.explanation !== null) this.#disagreements.delete(node.uid);
      return;
    }
    if (this.#disagreements.get(node.uid) === plan.disagreement) return;
    this.#disagreements.set(node.uid, plan.disagreement);
    const { name } = node;
    this.#options.logger.warn(
      { node: name, reason: plan.disagreement },
      'Found requests to differ',
    );
    this.#record(node, requestsDifferReason, plan.disagreement);
  }

  stored(action: NodeAction, before: Decision): void {
    switch (action.kind) {
      case 'initialise':
        return this.#initialised(action, before);
      case 'writeAddresses':
        if (isInitialised(before.node)) this.#addressesChanged(action, before);
        return;
      case 'writeLabels':
        this.#options.logger.info(
          { node: before.node.name, labels: action.labels, reason: action.reason },
          'Wrote node labels',
        );
    }
  }

  forget(uid: string): void {
    this.#options.recorder?.forget(uid);
    this.#disagreements.delete(uid);
    if (this.#said.delete(uid)) this.#options.onChange();
  }

  #initialised(
    action: NodeAction & { readonly kind: 'initialise' },
    { node, plan }: Decision,
  ): void {
    const { clock, metrics, logger, onChange } = this.#options;
    const ageSeconds = Math.max(0, clock.now() / 1_000 - node.creationTimestampSeconds);
    metrics.initialised(ageSeconds);
    metrics.synced(ageSeconds);
    const { providerID, addresses } = action;
    logger.info(
      { node: node.name, providerID, addresses: listOf(addresses), stack: plan.stack },
      'Initialised node',
    );
    this.#record(node, 'Synced', syncedNote(plan));
    onChange();
  }

  #addressesChanged(
    action: NodeAction & { readonly kind: 'writeAddresses' },
    { node, plan }: Decision,
  ): void {
    this.#options.metrics.addressesChanged();
    const [from, to] = [node.addresses, action.addresses];
    this.#options.logger.info(
      { node: node.name, from: listOf(from), to: listOf(to), reason: action.reason },
      'Changed node addresses',
    );
    this.#record(node, 'AddressesChanged', addressesChangedNote(plan, { from, to }));
  }

  #isSaid(uid: string, message: string): boolean {
    return this.#said.get(uid)?.message === message;
  }

  #stand(node: NodeProjection, said: Said): void {
    this.#said.set(node.uid, said);
    this.#options.onChange();
  }

  #endStanding(uid: string): void {
    this.#said.delete(uid);
    this.#options.recorder?.end({ uid, matter });
  }

  #record(node: NodeProjection, reason: NodeEventReason, note: string): void {
    const { type, action } = nodeEvents[reason];
    this.#options.recorder?.record({ ...aboutNode(node), type, action, reason, note });
  }
}

function aboutNode(node: NodeProjection): Pick<NewEvent, 'regarding' | 'reportingController'> {
  return { regarding: nodeReference(node), reportingController: controllerName };
}
