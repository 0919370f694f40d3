/**
 * Random valid and invalid writes to nodes, by which a test compares two API servers. Everything follows from a seed.
 * The comparison leaves out what each server decides for itself: UIDs, versions and times.
 */
import type { Random } from '@tandem/runtime';
import {
  type ApiResponse,
  jsonPatch,
  mergePatch,
  nodes,
  type ApiRequest,
  strategicMerge,
} from './session.ts';

export class RandomWrites {
  readonly #random: Random;
  readonly #names: readonly string[];

  constructor(random: Random, names: readonly string[]) {
    this.#random = random;
    this.#names = names;
  }

  next(): ApiRequest {
    const name = this.#pick(this.#names);
    const path = `${nodes}/${name}${this.#pick(['', '', '/status'])}`;
    const kind = this.#pick(kinds);
    switch (kind) {
      case 'create':
        return { method: 'POST', path: nodes, body: this.#node(name) };
      case 'put':
        return { method: 'PUT', path, body: this.#node(this.#pick([name, name, ...this.#names])) };
      case 'json':
        return { method: 'PATCH', path, body: this.#operations(), contentType: jsonPatch };
      case 'merge':
        return { method: 'PATCH', path, body: this.#change('merge'), contentType: mergePatch };
      case 'strategic':
        return {
          method: 'PATCH',
          path,
          body: this.#change('strategic'),
          contentType: strategicMerge,
        };
      default:
        return { method: 'DELETE', path: path.replace('/status', '') };
    }
  }

  #node(name: string): object {
    const { metadata, ...rest } = this.#change('merge');
    return { metadata: { ...metadata, name }, ...rest };
  }

  #operations(): object[] {
    return this.#some(3, () => {
      const path = this.#pick(paths);
      const op = this.#pick(['add', 'add', 'replace', 'remove', 'test', 'copy', 'move']);
      const value = this.#pick(values);
      return op === 'copy' || op === 'move'
        ? { op, from: this.#pick(paths), path }
        : { op, path, value };
    });
  }

  #change(kind: 'merge' | 'strategic'): { metadata?: object; spec?: object; status?: object } {
    return {
      ...this.#maybe(() => ({ metadata: this.#metadata() })),
      ...this.#maybe(() => ({ spec: this.#spec() })),
      ...this.#maybe(() => ({ status: this.#status(kind) })),
    };
  }

  #metadata(): object {
    const text = () => this.#pick(['a', 'b', '', null]);
    const map = () => ({
      ...this.#maybe(() => ({ k: text() })),
      ...this.#maybe(() => ({ 'x.io/l': text() })),
    });
    return {
      ...this.#maybe(() => ({ labels: this.#pick([map(), map(), null, { k: 'not good' }]) })),
      ...this.#maybe(() => ({ annotations: this.#pick([map(), { 'k k': 'v' }]) })),
    };
  }

  #spec(): object {
    const taint = () => ({
      key: this.#pick(['t', 'u']),
      effect: this.#pick(['NoSchedule', 'NoExecute', 'NoExecute', 'Bad']),
      ...this.#maybe(() => ({ value: this.#pick(['v', '']) })),
    });
    return {
      ...this.#maybe(() => ({ unschedulable: this.#pick([true, false, null]) })),
      ...this.#maybe(() => ({ taints: this.#pick([this.#some(2, taint), [], null]) })),
      ...this.#maybe(() => ({ providerID: this.#pick(['x://1', 'x://1', '', null]) })),
      ...this.#maybe(() => ({
        podCIDRs: this.#pick([['10.0.0.0/24'], ['10.0.0.0/24', 'fd00::/64'], [], null]),
      })),
    };
  }

  #status(kind: 'merge' | 'strategic'): object {
    const type = () => this.#pick(['A', 'B', 'C']);
    const condition = () => ({
      type: type(),
      status: this.#pick(['True', 'False']),
      ...(kind === 'strategic' && this.#random.next() < 0.2 ? { $patch: 'delete' } : {}),
    });
    const address = () => ({
      type: this.#pick(['InternalIP', 'ExternalIP', 'Hostname']),
      address: this.#pick(['10.0.0.1', 'fd00::1', 'h']),
    });
    return {
      ...this.#maybe(() => ({ conditions: this.#pick([this.#some(3, condition), null]) })),
      ...this.#maybe(() => ({
        addresses: this.#pick([this.#some(3, address), this.#some(2, address), null]),
      })),
      ...this.#maybe(() => ({ phase: this.#pick(['Running', '']) })),
      ...this.#maybe(() => ({ nodeInfo: { bootID: this.#pick(['x', 'y']) } })),
    };
  }

  #some<T>(max: number, make: () => T): T[] {
    return Array.from({ length: 1 + Math.floor(this.#random.next() * max) }, make);
  }

  #maybe<T extends object>(make: () => T): T | Record<string, never> {
    return this.#random.next() < 0.5 ? make() : {};
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random.next() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

const kinds = [
  'create',
  'create',
  'put',
  'json',
  'json',
  'json',
  'merge',
  'merge',
  'strategic',
  'strategic',
  'strategic',
  'delete',
];

const paths = [
  '/metadata/labels',
  '/metadata/labels/k',
  '/metadata/labels/x.io~1l',
  '/metadata/annotations/k',
  '/spec/taints',
  '/spec/taints/0',
  '/spec/taints/-',
  '/spec/taints/0/key',
  '/spec/unschedulable',
  '/spec/providerID',
  '/spec/nonsense',
  '/status/addresses',
  '/status/addresses/0',
  '/status/addresses/-',
  '/status/conditions/1',
  '/status/phase',
];

const values = [
  'a',
  null,
  true,
  {},
  [],
  { k: 'a' },
  { key: 't', effect: 'NoSchedule' },
  [{ key: 'u', effect: 'NoExecute' }],
  { type: 'InternalIP', address: '10.0.0.1' },
  [{ type: 'Hostname', address: 'h' }],
];

/** The part of an answer on which two servers should agree. */
export function comparable({ status, body }: ApiResponse): unknown {
  if (body.kind === 'Status') {
    const causes: string[] = (body.details?.causes ?? []).map(
      ({ reason, field }: { reason: string; field: string }) => `${field} ${reason}`,
    );
    // The real server checks some rules more than once.
    return { status, reason: body.reason ?? null, causes: [...new Set(causes)].toSorted() };
  }
  const { name, labels, annotations } = body.metadata;
  return {
    status,
    metadata: { name, labels, annotations },
    spec: body.spec,
    nodeStatus: body.status,
  };
}
