/**
 * The JSON of the object that was written last, for the answer to whoever wrote it and for the watches
 * that all want to tell of it: with many of them, making it anew for each would cost more than
 * everything else. One text is kept, no more.
 */
import type { StoredObject } from '../store/index.ts';
import { type Presentation, represent } from './represent.ts';

export class LatestText {
  #object: StoredObject | undefined;
  #presentation: Presentation | undefined;
  #text = '';

  of(object: StoredObject, presentation: Presentation): string {
    const isSame =
      this.#object === object &&
      this.#presentation?.resource === presentation.resource &&
      this.#presentation.form === presentation.form &&
      this.#presentation.metaVersion === presentation.metaVersion;
    // Ages in tables change while objects do not.
    if (!isSame || presentation.form === 'table') {
      this.#object = object;
      this.#presentation = presentation;
      this.#text = JSON.stringify(represent(object, presentation));
    }
    return this.#text;
  }
}
