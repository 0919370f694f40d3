export { suggestion } from './did-you-mean.ts';
export {
  accepted,
  type AnyFlag,
  type DefaultedFlag,
  type Flag,
  type FlagGroup,
  honoured,
  refused,
  type Standing,
} from './flag.ts';
export { GivenFlags } from './given-flags.ts';
export { defaultOf, flagsHelp, synopsis } from './help.ts';
export { type Arguments, echoMax, readArguments } from './read-arguments.ts';
export type { StartupNote } from './startup-note.ts';
export {
  headerNames,
  ipAddress,
  networkEntries,
  type NetworkEntry,
  networks,
  objectName,
  readable,
  serverAddress,
  texts,
  urlPaths,
} from './values/network.ts';
export {
  bool,
  choice,
  directory,
  duration,
  file,
  float,
  int,
  int32Max,
  optionalText,
  parseBool,
  port,
  quantity,
} from './values/scalars.ts';
export {
  invalid,
  list,
  type Parsed,
  type ReadValue,
  repeated,
  single,
  value,
  type ValueType,
} from './values/value-type.ts';
