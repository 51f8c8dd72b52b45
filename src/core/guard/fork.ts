// The record a fork starts with, under its own id.
import type { Guard } from './guard.ts';

/**
 * A copy without the lease. `applicableView` is the newest view that still applies on the fork's chain; when it is not the one the record is
 * about, no answer can bring the pending verdict any more.
 */
export function forkGuard(guard: Guard, applicableView: string | undefined): Guard {
  const copy: Guard = { ...guard, lease: undefined };
  return applicableView === guard.view ? copy : { ...copy, view: applicableView, pending: undefined };
}
