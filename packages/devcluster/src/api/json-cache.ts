/**
 * Caches the JSON of objects that were written or listed lately, for the answer to the client that wrote one and for
 * the watches that report it: with many watches, making the text for each would cost more than everything
 * else. The cache has the last requested form of each object, and only a few objects.
 */
import type { StoredObject } from '../store/index.ts';
import { type Presentation, represent } from './represent.ts';

/** A small cluster; of a large one, what its watches are busy with. */
const textsMax = 256;

interface Recent {
  readonly presentation: Presentation;
  readonly text: string;
}

export class JsonCache {
  readonly #byObject = new Map<StoredObject, Recent>();

  of(object: StoredObject, presentation: Presentation): string {
    const recent = this.#byObject.get(object);
    if (recent !== undefined && isSameForm(recent.presentation, presentation)) return recent.text;
    const text = JSON.stringify(represent(object, presentation));
    // Ages in tables change while objects do not.
    if (presentation.form === 'table') return text;
    if (this.#byObject.size === textsMax) this.#byObject.clear();
    this.#byObject.set(object, { presentation, text });
    return text;
  }
}

function isSameForm(a: Presentation, b: Presentation): boolean {
  return a.resource === b.resource && a.form === b.form;
}
