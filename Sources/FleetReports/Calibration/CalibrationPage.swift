/// The page of a calibration.
func calibrationPage(of report: CalibrationReport) -> [UInt8] { [] }
