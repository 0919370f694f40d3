/**
 * Splits a span of blocks into uniform segments. An excluded block counts as excluded, with or without an
 * owner; one that any owner holds in doubt counts as in doubt; any other held block is bound.
 */
import { type Span, touches } from './blocks.ts';

export type BlockState = 'free' | 'bound' | 'inDoubt' | 'excluded';

/** A span of blocks in this state, unless another layer has a stronger state. */
export interface Layer extends Span {
  readonly state: Exclude<BlockState, 'free'>;
}

export interface Segment extends Span {
  readonly state: BlockState;
}

/** Neighbouring segments may have the same state. The cost is that of sorting the layers. */
export function segmentsOf(span: Span, layers: readonly Layer[]): Segment[] {
  const edges = layers.filter((layer) => touches(layer, span)).flatMap(edgesOf);
  edges.sort((a, b) => a.at - b.at);
  const depth = { bound: 0, inDoubt: 0, excluded: 0 };
  const segments: Segment[] = [];
  let first = span.first;
  for (const { at, state, step } of edges) {
    if (at > first && at <= span.last) {
      segments.push({ first, last: at - 1, state: strongest(depth) });
      first = at;
    }
    if (at <= span.last) depth[state] += step;
  }
  segments.push({ first, last: span.last, state: strongest(depth) });
  return segments;
}

interface Edge {
  readonly at: number;
  readonly state: Layer['state'];
  readonly step: 1 | -1;
}

function edgesOf({ first, last, state }: Layer): Edge[] {
  return [
    { at: first, state, step: 1 },
    { at: last + 1, state, step: -1 },
  ];
}

function strongest(depth: Readonly<Record<Layer['state'], number>>): BlockState {
  if (depth.excluded > 0) return 'excluded';
  if (depth.inDoubt > 0) return 'inDoubt';
  return depth.bound > 0 ? 'bound' : 'free';
}
