export { CuttingProxy } from './cutting-proxy.ts';
export type { Exchange } from './exchange.ts';
export type { Fate, Interference } from './interference.ts';
