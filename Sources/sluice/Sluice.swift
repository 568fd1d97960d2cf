@main struct Sluice { static func main() {} }
