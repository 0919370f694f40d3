export type { Row } from './board/index.ts';
export type { ErrorOutput, Output, StartPorts } from './ports.ts';
export { runProgram } from './program.ts';
export { pictureOf } from './view/index.ts';
