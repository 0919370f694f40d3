export { echoMax } from '../arguments/read-arguments.ts';
export { suggestion } from '../arguments/did-you-mean.ts';
export {
  accepted,
  type AnyFlag,
  type DefaultedFlag,
  type Flag,
  type FlagGroup,
  type LimitedSupport,
  refused,
} from './flag.ts';
export { GivenFlags, type StartupNote } from './given-flags.ts';
export { defaultOf, flagsHelp, synopsis } from './help.ts';
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
  repeated,
  single,
  value,
  type ValueType,
} from './values/value-type.ts';
