// Wordings and codes of the errors that are no overflow: policy, bound reasoning, media, broken rules, bytes, credentials, rate.
// Tables only; the order in which they are asked is the classifier's.

/** Said by rate limits; also tells "too many tokens per minute" from "too many tokens". */
export const RATE_WORDS =
  /\bper[ -](?:min(?:ute)?|hour|day|second)\b|\b(?:tpm|rpm|tpd|rpd|itpm|otpm)\b|rate[ _-]?limit|too many requests|throttl|please wait|quota|overloaded|resource_exhausted/;

export const POLICY_CODES = /content_filter|content_policy|responsible_?ai_?policy|moderation_blocked|^safety$|prohibited_content/i;
export const POLICY_WORDS =
  /content management policy|content filtering policy|violat\w{0,6} (?:our |the |openai'?s? |its )?(?:usage |content |safety )?polic|blocked by (?:our |the )?(?:content|safety)|requires moderation|flagged (?:by|as|for)/;

export const BINDING_CODES = /invalid_encrypted_content|thinking_signature|compaction_(?:signature_invalid|content_mismatch)/i;
export const BINDING_WORDS =
  /(?:thinking.{0,200}(?:signature|cannot be modified|must remain as they were)|signature.{0,80}thinking)|bound to a different conversation|encrypted content.{0,120}could not be (?:verified|decrypted)/;

export const MEDIA_CODES = /image_(?:dimensions_)?too_large|image_parse_error|invalid_image|unsupported_image/i;
export const MEDIA_WORDS =
  /image (?:size )?exceeds|image dimensions? exceeds?|image (?:is )?too (?:large|big)|max allowed size[^:]{0,60}: \d+ pixels|could not process image|unsupported image|invalid image|too many images|maximum of \d+ (?:images|pdf pages)|many-image requests|file (?:size )?exceeds/;

export const STRUCTURE_CODES =
  /^(?:unknown_parameter|unsupported_parameter|unsupported_value|string_above_max_length|array_above_max_length|invalid_function_parameters|invalid_json|compaction_(?:block_ambiguous|block_misplaced|tool_changes_mismatch|incomplete_turn))$/i;
/** Broken rules of an API: pairing, roles, emptiness, parameters, schemas. None of these says anything about sizes. */
export const STRUCTURE_WORDS: readonly RegExp[] = [
  /(?:unknown|unsupported|unrecognized) (?:parameter|request argument|value)|extra inputs are not permitted|not supported with this model/,
  /string too long\. expected a string/,
  /`tool_use` ids|`tool_use_id`|tool_call_ids? did not have|role 'tool' must be a response|'tool_call_id'/,
  /no tool (?:output|call) found for function call|was provided without its required/,
  /toolresult blocks|tooluse blocks|toolconfig field must be defined|function (?:call|response) turn|functionresponse parts/,
  /thought_signature|expected `?thinking`? or `?redacted_thinking|reasoning_content(?:`| in the| field| is missing)/,
  /roles must alternate|unexpected role|system message must be at the beginning|must start with a user message|first message must use the "?user"? role/,
  /content blocks must|must have non-empty content|cache_control|cannot end with trailing whitespace|is too short - '|must not be empty/,
  /text is not set|content must be a string|expected a string, got|unexpected end of (?:json|data)|no low surrogate|not valid json|lone (?:leading )?surrogate/,
  /error parsing grammar|json-schema-to-grammar|unable to generate parser|input should (?:be|match)|should match pattern/,
];

export const PAYLOAD_CODES = /request_?(?:entity_?)?too_?large|requestbodytoolarge|payload_?too_?large/i;
export const PAYLOAD_WORDS =
  /request (?:entity|body)(?: is)? too large|request_too_large|payload (?:is )?too large|request exceeds the maximum (?:size|allowed number of bytes)|request too large \(max|request payload size exceeds|total message size \d+ exceeds limit|body (?:size )?(?:exceeds|exceeded|limit)|error code: 413/;
/** A 413 that speaks of tokens is about tokens. */
export const TOKEN_WORDS = /\btokens?\b|context (?:length|window|size)/;

export const AUTH_CODES =
  /authentication|unauthorized|^unauthenticated$|permission|forbidden|access_?denied|invalid_api_key|api_key_invalid|insufficient_quota|billing|payment_required|unrecognizedclient|expiredtoken/i;
export const AUTH_WORDS =
  /(?:api[ -]?key|token) (?:is )?(?:not valid|invalid|expired|missing)|(?:invalid|incorrect|missing) api[ -]?key|credit balance is too low|insufficient (?:balance|credits|funds)/;

export const RATE_CODES = /rate_?limit|too_?many_?requests|throttl|resource_exhausted|overloaded|serviceunavailable|quota/i;
export const RATE_STATUSES: ReadonlySet<number> = new Set([429, 503, 529]);

/** A gateway or a connection that gave up without an answer of the API. */
export const GATEWAY_WORDS = /<!doctype html|<html|cloudflare|bad gateway|gateway time-?out|invalid or incomplete response/;
export const DISCONNECT_WORDS =
  /server disconnected|peer closed connection|connection reset|econnreset|connection was closed|network connection lost|unexpected eof|incomplete chunked read|socket hang up|other side closed|^terminated$/;
/** A failed handshake never reached the provider. */
export const TLS_WORDS = /bad record mac|(?:ssl|tls)[ _]alert|\[ssl:|certificate/;
