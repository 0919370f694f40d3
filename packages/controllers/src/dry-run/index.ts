export type { Forecast, NodeForecast, RoutesForecast } from './forecast.ts';
export { type Missing, OneLook } from './one-look.ts';
export { type Summary, summarise, summaryText } from './summary.ts';
