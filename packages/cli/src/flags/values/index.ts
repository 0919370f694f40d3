export { duration, formatDuration, parseDuration } from './duration.ts';
export {
  headerNames,
  ipAddress,
  networkEntries,
  networks,
  objectName,
  readable,
  serverAddress,
  texts,
  urlPaths,
} from './network.ts';
export {
  bool,
  choice,
  directory,
  file,
  float,
  int,
  int32Max,
  optionalText,
  parseBool,
  port,
  quantity,
} from './scalars.ts';
export {
  invalid,
  list,
  type Parsed,
  type ReadValue,
  repeated,
  single,
  value,
  type ValueType,
} from './value-type.ts';
