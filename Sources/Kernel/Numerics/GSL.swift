internal import CGSL

/// The wrapper through which all code calls the GNU Scientific Library.
///
/// Turns off GSL's aborting error handler before the first call. Arguments and results must be finite; any status other
/// than success is thrown as a `NumericsError`. The code uses GSL 2.7; functions are named as in its manual, "Random
/// Number Distributions".
enum GSL {
  /// A value whose initialization turns off GSL's aborting error handler when it is first used.
  private static let handlerOff: Void = {
    _ = gsl_set_error_handler_off()
  }()

  /// Returns the result of a GSL function that has no status code; throws unless the arguments and the result are
  /// finite.
  private static func value(
    _ function: String, _ arguments: Double..., of body: () -> Double
  ) throws(NumericsError) -> Double {
    try checkFinite(function, arguments)
    let result = body()
    guard result.isFinite else { throw .notFinite(function: function, arguments: arguments) }
    return result
  }

  private static func checkFinite(_ function: String, _ arguments: [Double]) throws(NumericsError) {
    _ = handlerOff
    for argument in arguments { try NumericsError.check(true, function, "an argument", argument) }
  }
}

/// Fourier transforms.
extension GSL {
  /// Returns the Fourier transform of one or more finite values in half-complex order: real 0, real 1, imaginary 1,
  /// etc.
  static func realTransform(of values: [Double]) throws(NumericsError) -> [Double] {
    try checkFinite("gsl_fft_real_transform", values)
    var data = values
    guard let wavetable = gsl_fft_real_wavetable_alloc(data.count) else { throw noMemory }
    defer { gsl_fft_real_wavetable_free(wavetable) }
    guard let workspace = gsl_fft_real_workspace_alloc(data.count) else { throw noMemory }
    defer { gsl_fft_real_workspace_free(workspace) }
    let status = data.withUnsafeMutableBufferPointer {
      gsl_fft_real_transform($0.baseAddress, 1, $0.count, wavetable, workspace)
    }
    guard status == Int32(GSL_SUCCESS) else { throw failure("gsl_fft_real_transform", status) }
    return data
  }

  private static var noMemory: NumericsError { failure("gsl_fft_real_wavetable_alloc", Int32(GSL_ENOMEM)) }

  private static func failure(_ function: String, _ status: Int32) -> NumericsError {
    let message = gsl_strerror(status).map { String(cString: $0) } ?? "unknown error"
    return .library(function: function, status: status, message: message)
  }
}

/// Quasi-random sequences.
extension GSL {
  /// Returns the first `points` points of the Sobol sequence; `nil` if GSL does not support that many dimensions.
  static func sobol(points: Int, dimensions: Int) throws(NumericsError) -> [[Double]]? {
    try checkFinite("gsl_qrng_sobol", [])
    guard dimensions > 0, let type = wf_sobol(), dimensions <= Int(type.pointee.max_dimension) else { return nil }
    guard let sequence = gsl_qrng_alloc(type, UInt32(dimensions)) else { throw noMemory }
    defer { gsl_qrng_free(sequence) }
    var rows: [[Double]] = []
    for _ in 0..<points {
      var row = Array(repeating: 0.0, count: dimensions)
      let status = gsl_qrng_get(sequence, &row)
      guard status == Int32(GSL_SUCCESS) else { throw failure("gsl_qrng_get", status) }
      rows.append(row)
    }
    return rows
  }
}

/// Linear least squares.
extension GSL {
  /// Fits the columns of `rows` to every right-hand side; there must be at least as many rows as columns.
  ///
  /// Uses gsl_multifit_wlinear_tsvd with equal weights.
  ///
  /// - Returns: the coefficients for each side; `nil` if the columns are linearly dependent.
  static func fit(_ rows: [[Double]], to sides: [[Double]]) throws(NumericsError) -> [[Double]]? {
    let (count, width) = (rows.count, rows.first?.count ?? 0)
    for row in rows + sides { try checkFinite("gsl_multifit_wlinear", row) }
    guard let matrix = gsl_matrix_alloc(count, width), let covariance = gsl_matrix_alloc(width, width),
      let weights = gsl_vector_alloc(count), let side = gsl_vector_alloc(count),
      let solution = gsl_vector_alloc(width), let workspace = gsl_multifit_linear_alloc(count, width)
    else { throw noMemory }
    defer {
      gsl_matrix_free(matrix)
      gsl_matrix_free(covariance)
      gsl_vector_free(weights)
      gsl_vector_free(side)
      gsl_vector_free(solution)
      gsl_multifit_linear_free(workspace)
    }
    gsl_vector_set_all(weights, 1)
    for (row, values) in rows.enumerated() {
      for (column, value) in values.enumerated() { gsl_matrix_set(matrix, row, column, value) }
    }
    var coefficients: [[Double]] = []
    for values in sides {
      for (row, value) in values.enumerated() { gsl_vector_set(side, row, value) }
      var (squares, norm, rank) = (0.0, 0.0, width)
      // The workspace keeps the decomposition from the first fit, and the other fits reuse it.
      let status =
        coefficients.isEmpty
        ? gsl_multifit_wlinear_tsvd(matrix, weights, side, 1e-9, solution, covariance, &squares, &rank, workspace)
        : gsl_multifit_linear_solve(0, matrix, side, solution, &norm, &squares, workspace)
      guard status == Int32(GSL_SUCCESS) else { throw failure("gsl_multifit", status) }
      guard rank == width else { return nil }
      coefficients.append((0..<width).map { gsl_vector_get(solution, $0) })
    }
    return coefficients
  }

  /// Solves a small square system of equations by Householder transformations; returns `nil` if it is singular.
  static func solution(of matrix: [[Double]], _ side: [Double]) throws(NumericsError) -> [Double]? {
    for row in matrix + [side] { try checkFinite("gsl_linalg_HH_svx", row) }
    guard let system = gsl_matrix_alloc(side.count, side.count), let vector = gsl_vector_alloc(side.count) else {
      throw noMemory
    }
    defer {
      gsl_matrix_free(system)
      gsl_vector_free(vector)
    }
    for (row, values) in matrix.enumerated() {
      gsl_vector_set(vector, row, side[row])
      for (column, value) in values.enumerated() { gsl_matrix_set(system, row, column, value) }
    }
    guard gsl_linalg_HH_svx(system, vector) == Int32(GSL_SUCCESS) else { return nil }
    return side.indices.map { gsl_vector_get(vector, $0) }
  }
}

/// Minimization without derivatives.
extension GSL {
  /// A Swift function wrapped for a C callback.
  private final class Callback {
    let function: ([Double]) -> Double
    init(_ function: @escaping ([Double]) -> Double) { self.function = function }
  }

  /// Returns the lowest point that the Nelder-Mead simplex search finds when it starts at `start`
  /// (gsl_multimin_fminimizer_nmsimplex2).
  static func simplexMinimum(
    from start: [Double], step: Double, iterations: Int, size: Double, of function: ([Double]) -> Double
  ) throws(NumericsError) -> [Double] {
    try checkFinite("gsl_multimin_fminimizer_nmsimplex2", start + [step])
    guard let minimizer = gsl_multimin_fminimizer_alloc(wf_simplex(), start.count),
      let place = gsl_vector_alloc(start.count), let steps = gsl_vector_alloc(start.count)
    else { throw noMemory }
    defer {
      gsl_multimin_fminimizer_free(minimizer)
      gsl_vector_free(place)
      gsl_vector_free(steps)
    }
    for (index, value) in start.enumerated() { gsl_vector_set(place, index, value) }
    gsl_vector_set_all(steps, step)
    return try withoutActuallyEscaping(function) { function throws(NumericsError) in
      try descend(minimizer, from: place, steps, iterations, size, Callback(function))
    }
  }

  private static func descend(
    _ minimizer: UnsafeMutablePointer<gsl_multimin_fminimizer>, from start: UnsafeMutablePointer<gsl_vector>,
    _ steps: UnsafeMutablePointer<gsl_vector>, _ iterations: Int, _ size: Double, _ callback: Callback
  ) throws(NumericsError) -> [Double] {
    let count = start.pointee.size
    var target = gsl_multimin_function(
      f: { vector, parameters in
        guard let vector, let parameters else { return .nan }
        let callback = Unmanaged<Callback>.fromOpaque(parameters).takeUnretainedValue()
        return callback.function((0..<vector.pointee.size).map { gsl_vector_get(vector, $0) })
      }, n: count, params: Unmanaged.passUnretained(callback).toOpaque())
    defer { withExtendedLifetime(callback) {} }
    return try withUnsafeMutablePointer(to: &target) { target throws(NumericsError) in
      let status = gsl_multimin_fminimizer_set(minimizer, target, start, steps)
      guard status == Int32(GSL_SUCCESS) else { throw failure("gsl_multimin_fminimizer_set", status) }
      for _ in 0..<iterations {
        // The search also ends when the simplex cannot shrink any further.
        guard gsl_multimin_fminimizer_iterate(minimizer) == Int32(GSL_SUCCESS),
          gsl_multimin_fminimizer_size(minimizer) > size
        else { break }
      }
      return (0..<count).map { gsl_vector_get(minimizer.pointee.x, $0) }
    }
  }
}

/// Distribution functions (P), their complements (Q) and some of their inverses, with the precision of GSL.
extension GSL {
  static func exponentialP(_ x: Double, mean: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_exponential_P", x, mean) { gsl_cdf_exponential_P(x, mean) }
  }
  static func exponentialQ(_ x: Double, mean: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_exponential_Q", x, mean) { gsl_cdf_exponential_Q(x, mean) }
  }
  static func normalP(_ z: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_ugaussian_P", z) { gsl_cdf_ugaussian_P(z) }
  }
  static func normalQ(_ z: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_ugaussian_Q", z) { gsl_cdf_ugaussian_Q(z) }
  }
  static func normalQinv(_ q: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_ugaussian_Qinv", q) { gsl_cdf_ugaussian_Qinv(q) }
  }
  static func lognormalP(_ x: Double, zeta: Double, sigma: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_lognormal_P", x, zeta, sigma) { gsl_cdf_lognormal_P(x, zeta, sigma) }
  }
  static func lognormalQ(_ x: Double, zeta: Double, sigma: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_lognormal_Q", x, zeta, sigma) { gsl_cdf_lognormal_Q(x, zeta, sigma) }
  }
  static func gammaP(_ x: Double, shape: Double, scale: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_gamma_P", x, shape, scale) { gsl_cdf_gamma_P(x, shape, scale) }
  }
  static func gammaQ(_ x: Double, shape: Double, scale: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_gamma_Q", x, shape, scale) { gsl_cdf_gamma_Q(x, shape, scale) }
  }
  static func gammaPinv(_ p: Double, shape: Double, scale: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_gamma_Pinv", p, shape, scale) { gsl_cdf_gamma_Pinv(p, shape, scale) }
  }
  static func gammaQinv(_ q: Double, shape: Double, scale: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_gamma_Qinv", q, shape, scale) { gsl_cdf_gamma_Qinv(q, shape, scale) }
  }
  static func betaPinv(_ p: Double, _ a: Double, _ b: Double) throws(NumericsError) -> Double {
    do throws(NumericsError) {
      return try value("gsl_cdf_beta_Pinv", p, a, b) { gsl_cdf_beta_Pinv(p, a, b) }
    } catch {
      // GSL's iteration fails for some arguments, such as Beta(848, 16) at 0.025; bisection is used for those.
      guard case .notFinite = error else { throw error }
      var (low, high) = (0.0, 1.0)
      for _ in 0..<64 {
        let middle = (low + high) / 2
        if try betaP(middle, a, b) < p { low = middle } else { high = middle }
      }
      return high
    }
  }
  private static func betaP(_ x: Double, _ a: Double, _ b: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_beta_P", x, a, b) { gsl_cdf_beta_P(x, a, b) }
  }
  static func studentPinv(_ p: Double, freedom: Double) throws(NumericsError) -> Double {
    try value("gsl_cdf_tdist_Pinv", p, freedom) { gsl_cdf_tdist_Pinv(p, freedom) }
  }
}

/// The reason why a number could not be computed.
package enum NumericsError: Error, Hashable, CustomStringConvertible {
  /// An argument outside the domain of the function, such as NaN, an infinity or a negative number.
  case argument(function: String, name: String, value: Double)
  /// A GSL status other than success.
  case library(function: String, status: Int32, message: String)
  /// A NaN or infinite result.
  case notFinite(function: String, arguments: [Double])
  /// A difference above the tolerance between two independent ways of computing a value.
  case disagreement(function: String, at: Double)
  /// A decrease in a tabulated function that must not decrease, such as an inverse distribution function.
  case notMonotone(function: String, cell: Int)

  package var description: String {
    switch self {
    case .argument(let function, let name, let value): "\(function): \(name) cannot be \(value)"
    case .library(let function, let status, let message): "\(function): \(message) (GSL status \(status))"
    case .notFinite(let function, let arguments): "\(function): no finite value at \(arguments)"
    case .disagreement(let function, let place): "\(function): two methods disagree at \(place)"
    case .notMonotone(let function, let cell): "\(function): the table decreases in cell \(cell)"
    }
  }

  /// Throws unless `value` is finite and `valid` is true.
  static func check(
    _ valid: Bool, _ function: String, _ name: String, _ value: Double
  ) throws(NumericsError) {
    guard valid, value.isFinite else { throw .argument(function: function, name: name, value: value) }
  }
}
