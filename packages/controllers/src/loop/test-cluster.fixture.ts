/**
 * The embedded API server in virtual time, and the changes to its nodes that tests make as other
 * programs.
 */
import assert from 'node:assert/strict';
import type { Random } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import {
  createCluster,
  type EmbeddedCluster,
  type GivenObject,
  putObject,
  type StoredObject,
} from '../../../../test/support/embedded-api.ts';

export interface EventView {
  readonly node: string;
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly count: number;
}

export class TestCluster {
  readonly clock: VirtualClock = virtualClock({ startMs: Date.parse('2026-03-01T12:00:00Z') });
  readonly model: EmbeddedCluster;
  readonly seed: string;
  /** The write requests of managers, as `PATCH name`, except events. */
  readonly writes: string[] = [];
  /** The paths of the single nodes that managers read. */
  readonly gets: string[] = [];
  protected readonly random: Random;

  constructor(seed: string) {
    this.seed = seed;
    this.random = seededRandom(seed);
    this.model = createCluster({ clock: this.clock, random: this.random });
  }

  /** Checks every state of a node as soon as it is stored. */
  protected onNode(check: (node: StoredObject) => void): void {
    this.model.store.onChange((collection, { after }) => {
      if (collection === 'nodes' && after !== undefined) check(after);
    });
  }

  /** The current time in the format of API objects. */
  protected get timestamp(): string {
    return `${new Date(this.clock.now()).toISOString().slice(0, 19)}Z`;
  }

  protected nodes(): readonly StoredObject[] {
    return this.model.store.collection('nodes').list();
  }

  protected find(name: string): StoredObject {
    const node = this.model.store.collection('nodes').get(name);
    assert.ok(node !== undefined, `there is no node ${name}`);
    return node;
  }

  hasNode(name: string): boolean {
    return this.model.store.collection('nodes').get(name) !== undefined;
  }

  names(): string[] {
    return this.nodes().map(({ metadata }) => metadata.name);
  }

  removeNode(name: string): void {
    this.model.store.collection('nodes').remove(name);
  }

  /** Changes a node as another program would. */
  change(name: string, change: (node: StoredObject) => GivenObject): void {
    putObject(this.model, 'nodes', change(structuredClone(this.find(name))));
  }

  /** All stored events. */
  protected eventViews(): EventView[] {
    const stored = this.model.store.collection('events').list();
    return stored
      .map((event) => JSON.parse(JSON.stringify(event)))
      .map(({ involvedObject, type, reason, action, message, series }) => ({
        node: involvedObject.name,
        type,
        reason,
        action,
        note: message,
        count: series?.count ?? 1,
      }));
  }
}
