export {
  coversAllBlocks,
  defaultSizeProblem,
  familiesProblem,
  findOverlaps,
  flagPoolName,
  nodeMaskSizeDefaults,
  type Overlap,
  sizeProblem,
} from './rules.ts';
