// Counters for /metrics, in a registry of their own: no session, no text, no tenant.
import { Counter, Gauge, Registry } from 'prom-client';
import type { CompactionEvent } from './sessions/compaction-events.ts';

export interface Metrics {
  /** A request of a model API, or one that was streamed through (`pass`), was answered. */
  countRequest(api: string, status: number): void;
  countUpstreamError(upstream: string, code: string): void;
  countEvent(event: CompactionEvent): void;
  /** Text in the Prometheus format, and its content type. */
  render(): Promise<{ readonly text: string; readonly contentType: string }>;
}

/** What is read at the moment of asking. */
export interface MetricsSource {
  inFlight(): number;
  sessions(): number;
  isStoreUp(): boolean;
}

export function createMetrics(source: MetricsSource): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'ullage_requests_total',
    help: 'Requests answered, by API and status.',
    labelNames: ['api', 'status'],
    registers,
  });
  const compactions = new Counter({
    name: 'ullage_compactions_total',
    help: 'Outcomes of compaction attempts, by status and reason.',
    labelNames: ['status', 'reason'],
    registers,
  });
  const saved = new Counter({
    name: 'ullage_tokens_saved_total',
    help: 'Tokens by which committed compactions made a request smaller, each counted once.',
    registers,
  });
  const upstreamErrors = new Counter({
    name: 'ullage_upstream_errors_total',
    help: 'Requests that an upstream did not answer, by upstream and error code.',
    labelNames: ['upstream', 'code'],
    registers,
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({ name, help, registers, collect: (): void => gauges.get(name)?.set(read()) });
  const gauges = new Map<string, Gauge>();
  const add = (name: string, help: string, read: () => number) => gauges.set(name, gauge(name, help, read));
  add('ullage_requests_in_flight', 'Requests under way.', source.inFlight);
  add('ullage_sessions_in_memory', 'Session objects in memory.', source.sessions);
  add('ullage_store_up', '1 when the store could be used last, else 0.', () => (source.isStoreUp() ? 1 : 0));
  return {
    countRequest: (api, status) => requests.inc({ api, status: String(status) }),
    countUpstreamError: (upstream, code) => upstreamErrors.inc({ upstream, code }),
    countEvent({ name, data }) {
      if (name === 'compaction-started' || !('status' in data)) return;
      compactions.inc({ status: data.status, reason: data.reason ?? '' });
      if (name === 'compaction-committed') saved.inc(Math.max(0, data.oldRequestTokens - data.newRequestTokens));
    },
    render: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}
