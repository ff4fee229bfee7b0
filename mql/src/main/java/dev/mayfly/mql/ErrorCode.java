package dev.mayfly.mql;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * MongoDB error code: a number and a name.
 *
 * @param number as in MongoDB
 * @param name as in MongoDB
 */
public record ErrorCode(int number, String name) {
  public static final ErrorCode INTERNAL_ERROR = new ErrorCode(1, "InternalError");
  public static final ErrorCode BAD_VALUE = new ErrorCode(2, "BadValue");
  public static final ErrorCode HOST_UNREACHABLE = new ErrorCode(6, "HostUnreachable");
  public static final ErrorCode FAILED_TO_PARSE = new ErrorCode(9, "FailedToParse");
  public static final ErrorCode USER_NOT_FOUND = new ErrorCode(11, "UserNotFound");
  public static final ErrorCode UNAUTHORIZED = new ErrorCode(13, "Unauthorized");
  public static final ErrorCode TYPE_MISMATCH = new ErrorCode(14, "TypeMismatch");
  public static final ErrorCode OVERFLOW = new ErrorCode(15, "Overflow");
  public static final ErrorCode INVALID_LENGTH = new ErrorCode(16, "InvalidLength");
  public static final ErrorCode PROTOCOL_ERROR = new ErrorCode(17, "ProtocolError");
  public static final ErrorCode AUTHENTICATION_FAILED = new ErrorCode(18, "AuthenticationFailed");
  public static final ErrorCode ILLEGAL_OPERATION = new ErrorCode(20, "IllegalOperation");
  public static final ErrorCode ALREADY_INITIALIZED = new ErrorCode(23, "AlreadyInitialized");
  public static final ErrorCode NAMESPACE_NOT_FOUND = new ErrorCode(26, "NamespaceNotFound");
  public static final ErrorCode INDEX_NOT_FOUND = new ErrorCode(27, "IndexNotFound");
  public static final ErrorCode PATH_NOT_VIABLE = new ErrorCode(28, "PathNotViable");
  public static final ErrorCode ROLE_NOT_FOUND = new ErrorCode(31, "RoleNotFound");
  public static final ErrorCode CANNOT_BACKFILL_ARRAY = new ErrorCode(37, "CannotBackfillArray");
  public static final ErrorCode CONFLICTING_UPDATE_OPERATORS =
      new ErrorCode(40, "ConflictingUpdateOperators");
  public static final ErrorCode CURSOR_NOT_FOUND = new ErrorCode(43, "CursorNotFound");
  public static final ErrorCode NAMESPACE_EXISTS = new ErrorCode(48, "NamespaceExists");
  public static final ErrorCode MAX_TIME_MS_EXPIRED = new ErrorCode(50, "MaxTimeMSExpired");
  public static final ErrorCode DOLLAR_PREFIXED_FIELD_NAME =
      new ErrorCode(52, "DollarPrefixedFieldName");
  public static final ErrorCode INVALID_ID_FIELD = new ErrorCode(53, "InvalidIdField");
  public static final ErrorCode EMPTY_FIELD_NAME = new ErrorCode(56, "EmptyFieldName");
  public static final ErrorCode COMMAND_NOT_FOUND = new ErrorCode(59, "CommandNotFound");
  public static final ErrorCode IMMUTABLE_FIELD = new ErrorCode(66, "ImmutableField");
  public static final ErrorCode CANNOT_CREATE_INDEX = new ErrorCode(67, "CannotCreateIndex");
  public static final ErrorCode INDEX_ALREADY_EXISTS = new ErrorCode(68, "IndexAlreadyExists");
  public static final ErrorCode INVALID_OPTIONS = new ErrorCode(72, "InvalidOptions");
  public static final ErrorCode INVALID_NAMESPACE = new ErrorCode(73, "InvalidNamespace");
  public static final ErrorCode INDEX_OPTIONS_CONFLICT = new ErrorCode(85, "IndexOptionsConflict");
  public static final ErrorCode INDEX_KEY_SPECS_CONFLICT =
      new ErrorCode(86, "IndexKeySpecsConflict");
  public static final ErrorCode SHUTDOWN_IN_PROGRESS = new ErrorCode(91, "ShutdownInProgress");
  public static final ErrorCode INVALID_REPLICA_SET_CONFIG =
      new ErrorCode(93, "InvalidReplicaSetConfig");
  public static final ErrorCode OPERATION_FAILED = new ErrorCode(96, "OperationFailed");
  public static final ErrorCode WRITE_CONFLICT = new ErrorCode(112, "WriteConflict");
  public static final ErrorCode COMMAND_NOT_SUPPORTED = new ErrorCode(115, "CommandNotSupported");
  public static final ErrorCode CONFLICTING_OPERATION_IN_PROGRESS =
      new ErrorCode(117, "ConflictingOperationInProgress");
  public static final ErrorCode DOCUMENT_VALIDATION_FAILURE =
      new ErrorCode(121, "DocumentValidationFailure");
  public static final ErrorCode CAPPED_POSITION_LOST = new ErrorCode(136, "CappedPositionLost");
  public static final ErrorCode COMMAND_NOT_SUPPORTED_ON_VIEW =
      new ErrorCode(166, "CommandNotSupportedOnView");
  public static final ErrorCode OPTION_NOT_SUPPORTED_ON_VIEW =
      new ErrorCode(167, "OptionNotSupportedOnView");
  public static final ErrorCode INVALID_PIPELINE_OPERATOR =
      new ErrorCode(168, "InvalidPipelineOperator");
  public static final ErrorCode CANNOT_INDEX_PARALLEL_ARRAYS =
      new ErrorCode(171, "CannotIndexParallelArrays");
  public static final ErrorCode QUERY_PLAN_KILLED = new ErrorCode(175, "QueryPlanKilled");
  public static final ErrorCode AMBIGUOUS_INDEX_KEY_PATTERN =
      new ErrorCode(181, "AmbiguousIndexKeyPattern");
  public static final ErrorCode INVALID_INDEX_SPECIFICATION_OPTION =
      new ErrorCode(197, "InvalidIndexSpecificationOption");
  public static final ErrorCode NO_SUCH_SESSION = new ErrorCode(206, "NoSuchSession");
  public static final ErrorCode TRANSACTION_TOO_OLD = new ErrorCode(225, "TransactionTooOld");
  public static final ErrorCode CURSOR_KILLED = new ErrorCode(237, "CursorKilled");
  public static final ErrorCode NOT_IMPLEMENTED = new ErrorCode(238, "NotImplemented");
  public static final ErrorCode CONVERSION_FAILURE = new ErrorCode(241, "ConversionFailure");
  public static final ErrorCode SNAPSHOT_TOO_OLD = new ErrorCode(239, "SnapshotTooOld");
  public static final ErrorCode NO_SUCH_TRANSACTION = new ErrorCode(251, "NoSuchTransaction");
  public static final ErrorCode TRANSACTION_COMMITTED = new ErrorCode(256, "TransactionCommitted");
  public static final ErrorCode EXCEEDED_MEMORY_LIMIT_TOTAL =
      new ErrorCode(146, "ExceededMemoryLimit");
  public static final ErrorCode INVALID_RESUME_TOKEN = new ErrorCode(260, "InvalidResumeToken");
  public static final ErrorCode OPERATION_NOT_SUPPORTED_IN_TRANSACTION =
      new ErrorCode(263, "OperationNotSupportedInTransaction");
  public static final ErrorCode CHANGE_STREAM_FATAL_ERROR =
      new ErrorCode(280, "ChangeStreamFatalError");
  public static final ErrorCode CHANGE_STREAM_HISTORY_LOST =
      new ErrorCode(286, "ChangeStreamHistoryLost");
  public static final ErrorCode CLIENT_DISCONNECT = new ErrorCode(279, "ClientDisconnect");
  public static final ErrorCode EXCEEDED_MEMORY_LIMIT =
      new ErrorCode(292, "QueryExceededMemoryLimitNoDiskUseAllowed");
  public static final ErrorCode API_VERSION_ERROR = new ErrorCode(322, "APIVersionError");
  public static final ErrorCode API_STRICT_ERROR = new ErrorCode(323, "APIStrictError");
  public static final ErrorCode UNSUPPORTED_OP_QUERY_COMMAND =
      new ErrorCode(352, "UnsupportedOpQueryCommand");
  public static final ErrorCode DUPLICATE_KEY = new ErrorCode(11000, "DuplicateKey");
  public static final ErrorCode BSON_OBJECT_TOO_LARGE = new ErrorCode(10334, "BSONObjectTooLarge");
  public static final ErrorCode INTERRUPTED_AT_SHUTDOWN =
      new ErrorCode(11600, "InterruptedAtShutdown");
  public static final ErrorCode INTERRUPTED = new ErrorCode(11601, "Interrupted");
  public static final ErrorCode OUT_OF_DISK_SPACE = new ErrorCode(14031, "OutOfDiskSpace");
  public static final ErrorCode UNKNOWN_FIELD = new ErrorCode(40415, "IDLUnknownField");
  public static final ErrorCode MISSING_FIELD = new ErrorCode(40414, "IDLFailedToParse");

  public static final ErrorCode NO_MATCHING_DOCUMENT =
      new ErrorCode(13113, "MergeStageNoMatchingDocument");

  public static final ErrorCode NO_QUERY_EXECUTION_PLANS =
      new ErrorCode(291, "NoQueryExecutionPlans");

  /** Codes that failures of queries, and the fail points of tests, carry as a number. */
  private static final Map<Integer, ErrorCode> BY_NUMBER =
      Stream.of(
              BAD_VALUE,
              FAILED_TO_PARSE,
              TYPE_MISMATCH,
              OVERFLOW,
              IMMUTABLE_FIELD,
              INVALID_OPTIONS,
              INVALID_NAMESPACE,
              INVALID_PIPELINE_OPERATOR,
              NOT_IMPLEMENTED,
              CONVERSION_FAILURE,
              EXCEEDED_MEMORY_LIMIT_TOTAL,
              EXCEEDED_MEMORY_LIMIT,
              BSON_OBJECT_TOO_LARGE,
              DUPLICATE_KEY,
              NO_MATCHING_DOCUMENT,
              UNKNOWN_FIELD,
              MISSING_FIELD,
              HOST_UNREACHABLE,
              UNAUTHORIZED,
              AUTHENTICATION_FAILED,
              ILLEGAL_OPERATION,
              ALREADY_INITIALIZED,
              NAMESPACE_NOT_FOUND,
              CURSOR_NOT_FOUND,
              NAMESPACE_EXISTS,
              MAX_TIME_MS_EXPIRED,
              COMMAND_NOT_FOUND,
              SHUTDOWN_IN_PROGRESS,
              INVALID_REPLICA_SET_CONFIG,
              OPERATION_FAILED,
              WRITE_CONFLICT,
              COMMAND_NOT_SUPPORTED,
              NO_SUCH_SESSION,
              TRANSACTION_TOO_OLD,
              CURSOR_KILLED,
              SNAPSHOT_TOO_OLD,
              NO_SUCH_TRANSACTION,
              TRANSACTION_COMMITTED,
              CHANGE_STREAM_FATAL_ERROR,
              CHANGE_STREAM_HISTORY_LOST,
              INTERRUPTED_AT_SHUTDOWN,
              INTERRUPTED,
              new ErrorCode(7, "HostNotFound"),
              new ErrorCode(24, "LockTimeout"),
              new ErrorCode(64, "WriteConcernFailed"),
              new ErrorCode(79, "UnknownReplWriteConcern"),
              new ErrorCode(89, "NetworkTimeout"),
              new ErrorCode(100, "UnsatisfiableWriteConcern"),
              new ErrorCode(133, "FailedToSatisfyReadPreference"),
              new ErrorCode(134, "ReadConcernMajorityNotAvailableYet"),
              new ErrorCode(189, "PrimarySteppedDown"),
              new ErrorCode(234, "RetryChangeStream"),
              new ErrorCode(246, "SnapshotUnavailable"),
              new ErrorCode(262, "ExceededTimeLimit"),
              new ErrorCode(391, "ReauthenticationRequired"),
              new ErrorCode(9001, "SocketException"),
              new ErrorCode(10107, "NotWritablePrimary"),
              new ErrorCode(11602, "InterruptedDueToReplStateChange"),
              new ErrorCode(13435, "NotPrimaryNoSecondaryOk"),
              new ErrorCode(13436, "NotPrimaryOrSecondary"))
          .collect(Collectors.toUnmodifiableMap(ErrorCode::number, code -> code));

  /** Returns the code with this number, with its name if it has one. */
  public static ErrorCode of(int number) {
    return BY_NUMBER.getOrDefault(number, location(number));
  }

  /** Returns the code of a failure that MongoDB knows by number only. */
  public static ErrorCode location(int number) {
    return new ErrorCode(number, "Location" + number);
  }
}
