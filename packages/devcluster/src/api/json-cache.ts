/**
 * Caches the JSON of objects that were written or listed lately, for the answer to the writer and for the
 * watches that report the change: with many watches, serializing the object for each would cost more than
 * everything else. The cache keeps the last requested form of each object, and only a few objects.
 */
import type { StoredObject } from '../store/index.ts';
import { type Presentation, represent } from './represent.ts';

/** Enough for a small cluster, and for the recent changes of a large one. */
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
