// Summaries of the made-up Spanish session as a careful model writes them: from what stands in each stretch, without knowing what comes later.
import type { RecordedSession } from '../../../src/apps/cli/bench/strategies/recorded.ts';

export const spanishSummaries: RecordedSession = {
  begins: 'El módulo slotKeeper pierde reservas',
  stretches: [
    {
      through: 15,
      goal: 'Evitar que slotKeeper pierda reservas cuando dos personas devuelven su bicicleta en el mismo segundo (OPS-2282).',
      constraints: ['"No cambies nunca la tabla slot_claims sin una copia previa."'],
      done: [
        'OPS-2282: slotKeeper arreglado; la tarea bajó de media hora a dos minutos y slot_claims recibe una sola consulta por estación.',
      ],
      state: 'Las 29 pruebas de slotKeeper pasaban y el apunte estaba en OPS-2282.',
      decisions: ['max_parallel_slots pasó a 53263, porque con el valor anterior la cola crecía más deprisa de lo que se vaciaba.'],
      errors: ['"SLT6778: el ajuste max_parallel_slots no admite valores por encima de 53263": se limitó el valor en las reglas.'],
      files: ['src/slots/slotkeeper-rules.ts: límite de max_parallel_slots y llamada a slotKeeperSweep', 'docs/slotKeeper.md: guía, leída'],
      data: ['slotKeeper: max_parallel_slots = 53263, tabla slot_claims, claims-2.depot.example, SLT6778, abierto por Marisol Quintana'],
    },
    {
      through: 31,
      goal: 'Corregir el redondeo de minutos de tariffLedger en el cobro (OPS-7758).',
      constraints: ['"El límite rounding_step_units debe quedarse en 15093, ni uno más."'],
      done: ['OPS-7758: tariffLedger cambiado en src/tariff/tariffledger-rules.ts; las 29 pruebas pasan.'],
      state: 'slotKeeper y tariffLedger estaban terminados, con sus apuntes en OPS-2282 y OPS-7758.',
      decisions: [
        'tariffLedger dejó de compartir el candado con el barrido de inventario; así una conciliación lenta no retrasa las devoluciones.',
      ],
      errors: ['"TRF6655: se agotó la espera de 15093 ms al hablar con ledger-5.depot.example": el candado compartido era la causa.'],
      files: [
        'src/tariff/tariffledger-rules.ts: límite de rounding_step_units y llamada a tariffLedgerSweep',
        'docs/tariffLedger.md: guía, leída',
      ],
      data: ['tariffLedger: rounding_step_units = 15093, tabla tariff_lines, ledger-5.depot.example, TRF6655'],
    },
    {
      through: 47,
      goal: 'Hacer más rápidas las alertas de batería de pulseWatcher (OPS-9884).',
      constraints: ['"Usa solo la conexión de pulse-3.depot.example; la otra está reservada para los fines de semana."'],
      done: ['OPS-9884: pulseWatcher cambiado en src/pulse/pulsewatcher-rules.ts; las 29 pruebas pasan.'],
      state: 'slotKeeper, tariffLedger y pulseWatcher estaban terminados, cada uno con su apunte.',
      decisions: [
        'Las repeticiones hacia pulse-3.depot.example llevan una pausa que se duplica, ya que sin ella el fallo PLS2457 se contagiaba a las estaciones vecinas.',
        'slot_claims quedó fuera, porque Marisol Quintana pidió no cambiarla sin una copia previa.',
      ],
      errors: ['"PLS2457: la plaza ya estaba ocupada cuando pulseWatcher quiso asignarla": se evita con la pausa que se duplica.'],
      files: ['src/pulse/pulsewatcher-rules.ts: límite de pulse_timeout_ms y llamada a pulseWatcherSweep'],
      data: ['pulseWatcher: pulse_timeout_ms = 68378, tabla pulse_marks, pulse-3.depot.example, PLS2457, señalado por Belén Ocaña'],
    },
    {
      through: 63,
      goal: 'Que gateListener deje de llamar a gate-8.depot.example cuando la estación está cerrada por obras (OPS-8139).',
      constraints: ['"Evita tocar las pruebas de integración hasta que Joaquín Peñalver dé su permiso."'],
      done: ['OPS-8139: gateListener cambiado en src/gate/gatelistener-rules.ts; las 29 pruebas pasan.'],
      state: 'Cuatro módulos terminados: slotKeeper, tariffLedger, pulseWatcher y gateListener.',
      decisions: [
        'Los céntimos se calculan con enteros y el redondeo se hace al final, como se acordó en OPS-8139.',
        'Se reutilizó la pausa que se duplica de src/tariff/tariffledger-rules.ts; tariff_lines quedó fuera, porque Íñigo Arrieta lo pidió.',
      ],
      errors: ['"GTE9548: el ajuste gate_retry_ceiling no admite valores por encima de 85457": se limitó el valor.'],
      files: ['src/gate/gatelistener-rules.ts: límite de gate_retry_ceiling y llamada a gateListenerSweep'],
      data: ['gateListener: gate_retry_ceiling = 85457, tabla gate_visits, gate-8.depot.example, GTE9548, pedido por Joaquín Peñalver'],
    },
    {
      through: 79,
      goal: 'Averiguar por qué el informe mensual de monthDigest tarda media hora y termina a veces con DGS7738 (OPS-4386).',
      constraints: [
        '"dime qué propones antes de tocar nada más que src/digest/monthdigest-rules.ts"',
        '"Siempre deja un apunte en OPS-4386 antes de desplegar."',
      ],
      done: ['OPS-4386: monthDigest bajó de media hora a dos minutos; digest_rows recibe una sola consulta por estación.'],
      state: 'Cinco módulos terminados; el apunte de monthDigest estaba en OPS-4386.',
      decisions: [
        'La consulta sobre digest_rows se limita al último día, porque el resto ya está resumido.',
        'Se reutilizó la pausa de src/pulse/pulsewatcher-rules.ts; pulse_marks quedó fuera, porque Belén Ocaña pidió no cambiarla sin una copia previa.',
      ],
      errors: ['"DGS7738: el ajuste digest_batch_rows no admite valores por encima de 33967": se limitó el valor.'],
      files: ['src/digest/monthdigest-rules.ts: límite de digest_batch_rows y llamada a monthDigestSweep'],
      data: ['monthDigest: digest_batch_rows = 33967, tabla digest_rows, digest-5.depot.example, DGS7738'],
    },
  ],
};
