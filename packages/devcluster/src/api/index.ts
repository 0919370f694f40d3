export { answer } from './answer.ts';
export { type ApiAnswer, type ApiRequest, bodyBytesMax } from './exchange.ts';
export { RecentTexts } from './recent-texts.ts';
export { readBytes } from './protobuf-body.ts';
export { refusals, statusOf } from './refusal.ts';
export { type ApiContext, Expiry } from './api-context.ts';
