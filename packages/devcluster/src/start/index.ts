export { runProgram } from './program.ts';
export { type Pictured, pictureOf } from './view/index.ts';
