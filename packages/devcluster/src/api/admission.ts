/**
 * What else stands between a write that is allowed and its effect: in a cluster, webhooks and policies
 * that say no for reasons of their own. Here it is functions that whoever runs the cluster adds and
 * takes away; the API has none of them.
 */
import type { ResourceAttributes, User } from '../access/index.ts';
import { refuse } from './refusal.ts';

export interface Denial {
  readonly reason: 'Forbidden' | 'Invalid';
  /** For people; whoever is refused reads it. */
  readonly message: string;
}

/** Looks at a write, and says why it may not be; undefined where it may. */
export type AdmissionRule = (user: User, write: ResourceAttributes) => Denial | undefined;

export class Admission {
  readonly #rules = new Set<AdmissionRule>();

  /** Adds a rule, and gives what takes it away again. */
  add(rule: AdmissionRule): () => void {
    this.#rules.add(rule);
    return () => this.#rules.delete(rule);
  }

  refuseDenied(user: User, attributes: ResourceAttributes): void {
    if (this.#rules.size === 0 || reading.has(attributes.verb)) return;
    for (const rule of this.#rules) {
      const denial = rule(user, attributes);
      if (denial !== undefined) refuseFor(denial, attributes);
    }
  }
}

const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

function refuseFor({ reason, message }: Denial, write: ResourceAttributes): never {
  const { group, resource, name } = write;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  return refuse({
    code: reason === 'Forbidden' ? 403 : 422,
    reason,
    message: `${qualified} "${name}" is forbidden: ${message}`,
    details: { name, ...(group === '' ? {} : { group }), kind: resource, causes: [{ message }] },
  });
}
