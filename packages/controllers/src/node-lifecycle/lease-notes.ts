/**
 * The annotations of the Lease: by one a person releases the brake, and in the other the brake
 * records deletions. Reads go through the client that may read the Lease. Writes go through the
 * controllers' client, so that nothing is written once the Lease is lost. A write carries the
 * version that was read, so it never undoes a renewal. The election sends back the annotations that
 * it read, so it never undoes a record.
 */
import { hasStatus, type KubeClient, type Resource } from '@tandem/kube/client';
import { parseJson } from '@tandem/kube/codec';
import { type LeaseName, leasesOf } from '@tandem/kube/election';
import { isRecord } from '@tandem/runtime';

export interface LeaseNotesOptions {
  /** The client for reads. */
  readonly reader: KubeClient;
  /** The client for writes, fenced by the election. */
  readonly writer: KubeClient;
  readonly lease: LeaseName;
}

export type ReadNotes =
  | { readonly kind: 'read'; readonly notes: Notes }
  | { readonly kind: 'failed'; readonly err: unknown };

export type WroteNote =
  | { readonly kind: 'written' }
  /** Another writer, usually the election, changed the Lease in between: read it again. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly err: unknown };

/** A Lease as it was read. A missing Lease has no annotations. */
export interface Notes {
  annotation(name: string): string | undefined;
  /** The whole object with this annotation, for a write. */
  with(name: string, text: string): unknown;
  readonly exists: boolean;
}

const limitMs = 5_000;

export class LeaseNotes {
  readonly #options: LeaseNotesOptions;
  readonly #leases: Resource;

  constructor(options: LeaseNotesOptions) {
    this.#options = options;
    this.#leases = leasesOf(options.lease);
  }

  /** Rejects only with the signal's reason. */
  async read(signal: AbortSignal): Promise<ReadNotes> {
    const { reader, lease } = this.#options;
    const resource = { ...this.#leases, name: lease.name };
    try {
      const { body } = await reader.call({ verb: 'get', resource, limitMs, signal });
      return { kind: 'read', notes: notesOf(parseJson(body)) };
    } catch (err) {
      if (signal.aborted) throw err;
      return hasStatus(err, 404) ? { kind: 'read', notes: none(lease) } : { kind: 'failed', err };
    }
  }

  /** Rejects only with the signal's reason. */
  async write(
    notes: Notes,
    note: { readonly name: string; readonly text: string },
    signal: AbortSignal,
  ): Promise<WroteNote> {
    const { writer, lease } = this.#options;
    const body = notes.with(note.name, note.text);
    const call = notes.exists
      ? ({ verb: 'update', resource: { ...this.#leases, name: lease.name } } as const)
      : ({ verb: 'create', resource: this.#leases } as const);
    try {
      await writer.call({ ...call, body, limitMs, signal });
      return { kind: 'written' };
    } catch (err) {
      if (signal.aborted) throw err;
      const isOvertaken = hasStatus(err, 409) || hasStatus(err, 404);
      return isOvertaken ? { kind: 'conflict' } : { kind: 'failed', err };
    }
  }
}

/** Whether a retry is pointless until an administrator grants the permission. */
export function isForbidden(err: unknown): boolean {
  return hasStatus(err, 403);
}

function notesOf(object: unknown): Notes {
  const metadata = fieldsOf(fieldsOf(object)['metadata']);
  const annotations = fieldsOf(metadata['annotations']);
  return {
    exists: true,
    annotation(name) {
      const value = annotations[name];
      return typeof value === 'string' ? value : undefined;
    },
    with: (name, text) => ({
      ...fieldsOf(object),
      metadata: { ...metadata, annotations: { ...annotations, [name]: text } },
    }),
  };
}

/** Without an election there may be no Lease yet. A Lease without a holder is free for any elector. */
function none({ namespace, name }: LeaseName): Notes {
  return {
    exists: false,
    annotation: () => undefined,
    with: (annotation, text) => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace, name, annotations: { [annotation]: text } },
      spec: {},
    }),
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
