export { CuttingProxy } from './cutting-proxy.ts';
export type { Exchange, ExchangeKind } from './exchange.ts';
export type { Fate, Interference, Reply } from './interference.ts';
