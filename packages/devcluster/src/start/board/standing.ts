/** What the events of a node say of it: the refusal that stands, if one does, and a disagreement of sources. */
import { requestRefusals, requestsDifferReason } from '@tandem/core/node-address';
import { nodeRefusals } from '@tandem/core/node-init';
import { textAt } from '../../json/index.ts';

export interface Said {
  readonly code: string;
  readonly message: string;
}

export interface Standing {
  readonly refusal: Said | undefined;
  readonly disagreement: Said | undefined;
}

export const nothingSaid: Standing = { refusal: undefined, disagreement: undefined };

const refusals = new Set([...Object.keys(requestRefusals), ...Object.keys(nodeRefusals)]);
/** Said when a node got what it asked for. */
const successes = new Set(['Synced', 'AddressesChanged']);

/** The standing after one more event, in the order in which events are written. */
export function withEvent(standing: Standing, event: unknown): Standing {
  const code = textAt(event, 'reason');
  const said = { code, message: textAt(event, 'message') };
  if (refusals.has(code)) return { ...standing, refusal: said };
  if (code === requestsDifferReason) return { ...standing, disagreement: said };
  return successes.has(code) ? { ...standing, refusal: undefined } : standing;
}
