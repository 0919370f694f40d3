export type { Row } from './board/index.ts';
export type { ErrorOutput, Output, StartPorts } from './ports.ts';
export { runProgram } from './program.ts';
export { type Pictured, pictureOf } from './view/index.ts';
