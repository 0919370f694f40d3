export { suggestion } from './did-you-mean.ts';
export {
  accepted,
  type AnyFlag,
  type DefaultedFlag,
  type Flag,
  type FlagGroup,
  honoured,
  refused,
  type FlagSupport,
} from './flag.ts';
export { GivenFlags } from './given-flags.ts';
export { defaultOf, flagsHelp, synopsis } from './help.ts';
export { type Arguments, echoMax, readArguments } from './read-arguments.ts';
export type { StartupNote } from './startup-note.ts';
export {
  bool,
  choice,
  directory,
  duration,
  file,
  float,
  headerNames,
  int,
  int32Max,
  invalid,
  ipAddress,
  list,
  networkEntries,
  type NetworkEntry,
  networks,
  objectName,
  optionalText,
  parseBool,
  type Parsed,
  port,
  quantity,
  readable,
  type ReadValue,
  repeated,
  serverAddress,
  single,
  texts,
  urlPaths,
  value,
  type ValueType,
} from './values/index.ts';
