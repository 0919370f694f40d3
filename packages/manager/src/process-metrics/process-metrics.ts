/**
 * What the process takes of the machine, under the names that Prometheus' own libraries have for it. The
 * process is only looked at when somebody asks for metrics; what the machine does not tell is not shown.
 */
import type { MetricDeclaration, Metrics, ProcessUsage } from '@tandem/runtime';

const cpuSecondsTotal: MetricDeclaration<never> = {
  name: 'process_cpu_seconds_total',
  help: 'User and system CPU time of the process.',
  stability: 'ALPHA',
  labels: [],
};

const residentMemoryBytes: MetricDeclaration<never> = {
  name: 'process_resident_memory_bytes',
  help: 'Resident memory of the process.',
  stability: 'ALPHA',
  labels: [],
};

const virtualMemoryBytes: MetricDeclaration<never> = {
  name: 'process_virtual_memory_bytes',
  help: 'Virtual memory of the process. Linux only.',
  stability: 'ALPHA',
  labels: [],
};

const openFiles: MetricDeclaration<never> = {
  name: 'process_open_fds',
  help: 'Open file descriptors of the process. Linux only.',
  stability: 'ALPHA',
  labels: [],
};

const openFilesMax: MetricDeclaration<never> = {
  name: 'process_max_fds',
  help: 'Maximum number of open file descriptors. Linux only.',
  stability: 'ALPHA',
  labels: [],
};

const startTimeSeconds: MetricDeclaration<never> = {
  name: 'process_start_time_seconds',
  help: 'Start time of the process, in seconds since 1970.',
  stability: 'ALPHA',
  labels: [],
};

export const processMetricDeclarations: readonly MetricDeclaration<never>[] = [
  cpuSecondsTotal,
  residentMemoryBytes,
  virtualMemoryBytes,
  openFiles,
  openFilesMax,
  startTimeSeconds,
];

export class ProcessMetrics {
  readonly #metrics: Metrics;
  readonly #usage: ProcessUsage;
  #cpuSeconds = 0;

  constructor(metrics: Metrics, usage: ProcessUsage) {
    this.#metrics = metrics;
    this.#usage = usage;
  }

  /** Looks at the process: to be called before metrics are shown. */
  refresh(): void {
    const facts = this.#usage();
    this.#addCpu(facts.cpuSeconds);
    this.#set(residentMemoryBytes, facts.residentBytes);
    this.#set(virtualMemoryBytes, facts.virtualBytes);
    this.#set(openFiles, facts.openFiles);
    this.#set(openFilesMax, facts.openFilesMax);
    this.#set(startTimeSeconds, facts.startedAtSeconds);
  }

  #addCpu(seconds: number): void {
    const more = Math.max(seconds - this.#cpuSeconds, 0);
    this.#metrics.counter(cpuSecondsTotal).inc(more);
    this.#cpuSeconds += more;
  }

  /** A gauge that nobody has set would say 0. */
  #set(declaration: MetricDeclaration<never>, value: number | undefined): void {
    if (value !== undefined) this.#metrics.gauge(declaration).set(value);
  }
}
