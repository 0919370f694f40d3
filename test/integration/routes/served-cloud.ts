/**
 * The simulated cloud with its route tables, served over loopback to managers that come, go and are killed. A test may
 * hold a question, change the cloud, or kill the manager, before or after the question has its effect.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Family } from '@tandem/core/ip';
import type { RouteOperation, RouteOutcome } from '@tandem/provider/plug';
import { CcmError, systemClock } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import {
  type CloudSettings,
  routeSettingsDefault,
  SimulatedCloud,
} from '../../support/simulated-cloud.ts';
import { type Interference, Interferences } from '../../support/cutting-proxy/index.ts';
import { bodyOf, LoopbackServer } from '../../support/loopback-server.ts';
import type { CloudAddress, CloudQuestion, CloudReply, WireError } from './cloud-wire.ts';

interface ServedCloudOptions {
  readonly routes?: Partial<CloudSettings['routes']>;
  /** How long a manager waits for an answer that is lost. */
  readonly deadlineMs?: number;
}

export class ServedCloud extends LoopbackServer {
  readonly cloud: SimulatedCloud;
  /** All questions except look-ups, in the order of arrival. */
  readonly questions: CloudQuestion[] = [];
  readonly #families: readonly Family[];
  readonly #deadlineMs: number;
  #settings: CloudSettings['routes'];
  readonly #interferences = new Interferences<CloudQuestion, 'hang'>();

  private constructor({ routes = {}, deadlineMs = 1_000 }: ServedCloudOptions) {
    super();
    this.#settings = { ...routeSettingsDefault, tables: [{ id: 'main' }], ...routes };
    this.#families = this.#settings.families;
    this.#deadlineMs = deadlineMs;
    const random = seededRandom('served-cloud');
    const settings = { routes: this.#settings };
    this.cloud = new SimulatedCloud({ clock: systemClock, random, settings });
  }

  static start(options: ServedCloudOptions = {}): Promise<ServedCloud> {
    return new ServedCloud(options).listen();
  }

  /** Changes the behaviour of its tables. */
  set(routes: Partial<CloudSettings['routes']>): void {
    this.#settings = { ...this.#settings, ...routes };
    this.cloud.set({ routes: this.#settings });
  }

  /** The flags by which a manager finds it. */
  async flags(directory: string): Promise<string[]> {
    const path = join(directory, 'remote-cloud.json');
    const config: CloudAddress = {
      url: this.url,
      families: this.#families,
      deadlineMs: this.#deadlineMs,
    };
    await writeFile(path, JSON.stringify(config));
    const module = join(import.meta.dirname, 'remote-cloud', 'provider.ts');
    return [`--cloud-provider=${module}`, `--cloud-config=${path}`];
  }

  /** Adds an interference. Returns a function that removes it. */
  interfere(interference: Interference<CloudQuestion, 'hang'>): () => void {
    return this.#interferences.add(interference);
  }

  /** Every route of a table as `destination -> key`, sorted. The key is that of its target. */
  routes(table = 'main'): string[] {
    const { routes } = this.cloud;
    assert.ok(routes !== undefined);
    return routes
      .routesOf(table)
      .map(({ destination, target, ours }) => {
        const end = target.kind === 'instance' ? target.key : target.kind;
        const state = target.kind === 'instance' && !target.ready ? ' (not ready)' : '';
        return `${destination} -> ${end}${state}${ours ? '' : ' (foreign)'}`;
      })
      .toSorted();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the manager has hung up')));
    const question: CloudQuestion = JSON.parse(await bodyOf(request));
    if (question.kind !== 'lookup') this.questions.push(question);
    const fateOf = this.#interferences.meet(question);
    if ((await fateOf('before')) === 'hang') return;
    const reply = await this.#replyTo(question, gone.signal).catch(failed);
    if ((await fateOf('after')) === 'hang') return;
    response.end(JSON.stringify(reply));
  }

  async #replyTo(question: CloudQuestion, signal: AbortSignal): Promise<CloudReply> {
    const { routes } = this.cloud;
    assert.ok(routes !== undefined);
    switch (question.kind) {
      case 'lookup': {
        const { nodes, maxAgeMs } = question;
        const answers = await this.cloud.lookup(nodes, { maxAgeMs, signal });
        return { kind: 'looked up', answers: [...answers] };
      }
      case 'list':
        return { kind: 'listed', tables: (await routes.list({ signal })).tables };
      case 'change': {
        const options = { signal, beforeWrite: () => {} };
        const [outcome] = await routes.apply([question.operation], options);
        assert.ok(outcome !== undefined);
        return changed(outcome);
      }
    }
  }
}

export function isChange(
  question: CloudQuestion,
): question is { readonly kind: 'change'; readonly operation: RouteOperation } {
  return question.kind === 'change';
}

function changed(outcome: RouteOutcome): CloudReply {
  if (outcome.kind === 'applied') return { kind: 'changed', outcome };
  const { err, ...rest } = outcome;
  return { kind: 'changed', outcome: { ...rest, err: wireError(err) } };
}

function failed(err: unknown): CloudReply {
  return { kind: 'failed', err: wireError(err) };
}

function wireError(err: unknown): WireError {
  const { message } = err instanceof Error ? err : new Error('unknown reason');
  if (!(err instanceof CcmError)) return { message, code: 'RemoteCloudFailed' };
  const { code, retry } = err;
  return { message, code, ...(typeof retry === 'object' && { retryAfterMs: retry.afterMs }) };
}
