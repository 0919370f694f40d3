export { answer } from './answer.ts';
export { type ApiAnswer, type ApiRequest, bodyBytesMax } from './exchange.ts';
export { JsonCache } from './json-cache.ts';
export { readBytes } from './protobuf-body.ts';
export { refusals, statusOf } from './refusal.ts';
export { type ApiContext, Expiry } from './api-context.ts';
